import { z } from 'zod'

/** Failures of an account, which developers switch on and off on its page. */
export const sandboxFaultsSchema = z.object({
  /** The person has revoked Meridian's access. */
  isRevoked: z.boolean().default(false),
  /** All cursors have expired. */
  losesCursors: z.boolean().default(false),
  rateLimit: z.enum(['off', '429_with_retry_after', '429', '403']).default('off'),
  isFailing: z.boolean().default(false),
  hasSmallPages: z.boolean().default(false),
  /** Delay before each API response, in seconds. */
  delaySeconds: z.number().int().min(0).max(60).default(0),
})
export type SandboxFaults = z.infer<typeof sandboxFaultsSchema>
export const NO_FAULTS: SandboxFaults = sandboxFaultsSchema.parse({})

export const sandboxAccountSchema = z.object({
  email: z.string(),
  /** Scopes that the person has granted so far. */
  grantedScopes: z.array(z.string()),
  faults: sandboxFaultsSchema,
})
export type SandboxAccount = z.infer<typeof sandboxAccountSchema>

export const accountKey = (email: string) => `account:${email}`
