import { z } from 'zod'

/** What goes wrong for an account, as its page switches it on. */
export const sandboxFaults = z.object({
  /** The person withdrew the access. */
  isRevoked: z.boolean().default(false),
  /** Cursors are too old. */
  losesCursors: z.boolean().default(false),
  rateLimit: z.enum(['off', '429_with_retry_after', '429', '403']).default('off'),
  isFailing: z.boolean().default(false),
  hasSmallPages: z.boolean().default(false),
  /** Before each answer of the API, in seconds. */
  delaySeconds: z.number().int().min(0).max(60).default(0),
})
export type SandboxFaults = z.infer<typeof sandboxFaults>
export const NO_FAULTS: SandboxFaults = sandboxFaults.parse({})

export const sandboxAccount = z.object({
  email: z.string(),
  /** All that the person allowed so far. */
  grantedScopes: z.array(z.string()),
  faults: sandboxFaults,
})
export type SandboxAccount = z.infer<typeof sandboxAccount>

export const accountKey = (email: string) => `account:${email}`
