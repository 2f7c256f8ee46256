import { z } from 'zod'
import { changesOf } from '#contract/shared/changes.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  emailedCode,
  idSchema,
  instantSchema,
  line,
  paragraph,
  startSeen,
} from '#contract/shared/primitives.ts'
import { publicAppointmentSchema } from './bookings.ts'

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
  /** Whether its details can be changed: it is to come and not cancelled. Source: rule R7. */
  can_change: z.boolean(),
  /** Whether the form of the calendar asks for a title. */
  has_title: z.boolean(),
  /** Whether this browser has typed a code, so that it may see all appointments. Source: rule R8. */
  is_confirmed: z.boolean(),
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
  expected_starts_at: startSeen,
})
export type CancelManagedBody = z.infer<typeof cancelManagedBody>

/** What a customer may change about an appointment of theirs. What is absent stays as it is. Source: rule R7. */
export const managedDetailsBody = changesOf({
  phone: line(LIMITS.phone).nullable(),
  time_zone: line(LIMITS.timeZone),
  title: line(LIMITS.appointmentTitle).nullable(),
  description: paragraph(LIMITS.appointmentDescription).nullable(),
})

/** The code of the email. */
export const customerSessionBody = z.object({
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})

/** Appointments that the customer's list shows at most, the latest of them. */
export const LISTED_APPOINTMENTS = 200

/** All appointments of a customer with a practice. Source: rule R9. */
export const managedAppointmentsResponse = z.object({
  appointments: z.array(
    z.object({
      id: idSchema,
      booking_reference: z.string(),
      title: z.string(),
      standing: managedStanding,
      starts_at: instantSchema,
      ends_at: instantSchema,
      time_zone: z.string(),
      customer_time_zone: z.string().nullable(),
      is_online: z.boolean(),
      /** The signed link of its page; null when it has ended. */
      token: z.string().nullable(),
    }),
  ),
  /** False when there are more. */
  is_complete: z.boolean(),
})
export type ManagedAppointmentsResponse = z.infer<typeof managedAppointmentsResponse>
