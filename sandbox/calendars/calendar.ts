import { z } from 'zod'

export const sandboxCalendar = z.object({
  id: z.string(),
  /** Of the account that it belongs to. */
  email: z.string(),
  summary: z.string(),
  color: z.string(),
  timeZone: z.string(),
  accessRole: z.enum(['owner', 'reader']),
  isPrimary: z.boolean(),
  isDeleted: z.boolean(),
  /** Counts the changes of its events, so that a sync token is a number of it. */
  changes: z.number(),
})
export type SandboxCalendar = z.infer<typeof sandboxCalendar>
