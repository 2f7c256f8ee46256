import { z } from 'zod'
import { publicAppointmentSchema } from './bookings.ts'
import { LIMITS } from './limits.ts'
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
  /** What a cancellation means at this moment. Source: rule Q4. */
  cancellation: z.object({
    way: z.enum(['alone', 'by_request', 'none']),
    /** Until when its customer cancels alone; null where they cannot. */
    until: instantSchema.nullable(),
    /** What goes back of what was paid; null when nothing was paid or nothing is promised. */
    refund: z.object({ percent: z.number().int(), amount: z.number() }).nullable(),
    /** What its cancellation gives back; null while it stands and when nothing was decided. */
    given_back: z.number().nullable(),
    /** ISO 4217, in small letters. */
    currency: z.string(),
  }),
  /** When this link ends. */
  link_ends_at: instantSchema,
})
export type ManagedAppointment = z.infer<typeof managedAppointmentSchema>

/**
 * What the customer saw when they cancelled. When it is not so any more, nothing is done: a deadline may have passed.
 */
export const cancelManagedBody = z.object({
  way: z.enum(['alone', 'by_request']),
  /** Of `cancellation.refund`. */
  refund_amount: z
    .number()
    .min(0)
    .max(LIMITS.priceCents / 100)
    .nullable(),
})
export type CancelManagedBody = z.infer<typeof cancelManagedBody>
