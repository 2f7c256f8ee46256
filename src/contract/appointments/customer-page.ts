import { z } from 'zod'
import { partialUpdate } from '#contract/shared/changes.ts'
import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  emailedCode,
  expectedStart,
  idSchema,
  instantSchema,
  line,
  paragraph,
} from '#contract/shared/primitives.ts'
import { publicAppointmentSchema } from './bookings.ts'

/** The signed token in the URL of the customer's page. A malformed token is refused like an unknown token. */
export const manageLinkParams = z.object({ token: line(100, 'manage.not_found') })

/** The state of an appointment for its customer. Source: rule R5. */
export const managedStatus = z.enum([
  'upcoming',
  'past',
  'cancelled',
  'pending_cancellation',
  'awaits_payment',
  'awaits_email_code',
])
export type ManagedStatus = z.infer<typeof managedStatus>

/** An appointment on the customer's page, which anyone with its link can see. */
export const managedAppointmentSchema = component('ManagedAppointment', {
  appointment: publicAppointmentSchema,
  standing: managedStatus,
  /** The start before it was last moved; null when it was never moved. */
  moved_from: instantSchema.nullable(),
  /** The customer, as typed at this booking. */
  customer: z.object({
    name: z.string(),
    phone: z.string().nullable(),
    /** The email address with all but its first character hidden; null when there is none. */
    email_hint: z.string().nullable(),
  }),
  /** The terms of a cancellation now. Source: rule Q4. */
  cancellation: z.object({
    way: z.enum(['alone', 'by_request', 'none']),
    /** The time until which the customer can cancel without asking the owner; null when they cannot. */
    until: instantSchema.nullable(),
    /** The refund; null when nothing was paid or the policy gives none. */
    refund: z.object({ percent: z.number().int(), amount: z.number() }).nullable(),
    /** The refund that the cancellation gave; null when it is not cancelled or no refund was decided. */
    given_back: z.number().nullable(),
    /** ISO 4217, lower case. */
    currency: z.string(),
  }),
  /** True when the customer can change its details: it is in the future and not cancelled. Source: rule R7. */
  can_change: z.boolean(),
  /** True when the booking form of the calendar asks for a title. */
  has_title: z.boolean(),
  /** True when this browser has a customer session, which may list all appointments. Source: rule R8. */
  is_confirmed: z.boolean(),
  /** When this link expires. */
  link_ends_at: instantSchema,
})
export type ManagedAppointment = z.infer<typeof managedAppointmentSchema>

/**
 * The terms that the customer saw when they cancelled. When the terms have changed, for example because a deadline has
 * passed, the cancellation is refused.
 */
export const cancelManagedBody = component('CancelManaged', {
  way: z.enum(['alone', 'by_request']),
  /** The amount of `cancellation.refund`. */
  refund_amount: z
    .number()
    .min(0)
    .max(LIMITS.priceCents / 100)
    .nullable(),
  expected_starts_at: expectedStart,
})
export type CancelManagedBody = z.infer<typeof cancelManagedBody>

/** The details that a customer can change. Absent fields stay as they are. Source: rule R7. */
export const managedDetailsBody = partialUpdate({
  phone: line(LIMITS.phone).nullable(),
  time_zone: line(LIMITS.timeZone),
  title: line(LIMITS.appointmentTitle).nullable(),
  description: paragraph(LIMITS.appointmentDescription).nullable(),
}).meta({ id: 'ManagedDetails' })

/** The code from the email. */
export const customerSessionBody = component('CustomerSession', {
  code: emailedCode(LIMITS.emailCode, 'confirmation.wrong_code'),
})

/** The highest number of appointments in the customer's list. The latest are listed. */
export const LISTED_APPOINTMENTS = 200

/** The appointments of a customer with one practice. Source: rule R9. */
export const managedAppointmentsResponse = component('ManagedAppointments', {
  appointments: z.array(
    z.object({
      id: idSchema,
      booking_reference: z.string(),
      title: z.string(),
      standing: managedStatus,
      starts_at: instantSchema,
      ends_at: instantSchema,
      time_zone: z.string(),
      customer_time_zone: z.string().nullable(),
      is_online: z.boolean(),
      /** The signed token of its page; null when the link has expired. */
      token: z.string().nullable(),
    }),
  ),
  /** False when there are more appointments. */
  is_complete: z.boolean(),
})
export type ManagedAppointmentsResponse = z.infer<typeof managedAppointmentsResponse>
