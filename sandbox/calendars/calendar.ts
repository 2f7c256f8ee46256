import { z } from 'zod'

export const sandboxCalendarSchema = z.object({
  id: z.string(),
  /** The email address of the calendar's account. */
  email: z.string(),
  summary: z.string(),
  color: z.string(),
  timeZone: z.string(),
  accessRole: z.enum(['owner', 'reader']),
  isPrimary: z.boolean(),
  isDeleted: z.boolean(),
  /** The number of changes to the calendar's events so far. Sync tokens contain it. */
  changes: z.number(),
})
export type SandboxCalendar = z.infer<typeof sandboxCalendarSchema>
