import { z } from 'zod'
import { publicAppointmentSchema } from './bookings.ts'
import { instantSchema, line } from './primitives.ts'

/** The signed link of an appointment, as its address has it. What cannot be one is refused like one that is not ours. */
export const manageLinkParams = z.object({ token: line(100, 'manage.not_found') })

/** How an appointment stands for its customer. Source: rule R5. */
export const managedStanding = z.enum([
  'upcoming',
  'past',
  'cancelled',
  'pending_cancellation',
  'awaits_payment',
  'awaits_email_code',
])
export type ManagedStanding = z.infer<typeof managedStanding>

/** One appointment as whoever has its link may see it. */
export const managedAppointmentSchema = z.object({
  appointment: publicAppointmentSchema,
  standing: managedStanding,
  /** The start before it was last moved; null when it was never moved. */
  moved_from: instantSchema.nullable(),
  /** Who it is booked for, as it was typed at this booking. */
  customer: z.object({
    name: z.string(),
    phone: z.string().nullable(),
    /** The address of the emails with all but its first character hidden; null when there is none. */
    email_hint: z.string().nullable(),
  }),
  /** When this link ends. */
  link_ends_at: instantSchema,
})
export type ManagedAppointment = z.infer<typeof managedAppointmentSchema>
