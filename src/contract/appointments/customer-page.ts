import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  emailedCodeSchema,
  expectedStartSchema,
  hourCycleSchema,
  idSchema,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { SERIES_LIMITS } from '#core/slots/plan-series.ts'
import { publicAppointmentSchema } from './bookings.ts'

/** The signed token in the URL of the customer's page. A malformed token is refused like an unknown token. */
export const manageLinkParams = z.object({ token: singleLineSchema(100, 'manage.not_found') })

/** The state of an appointment for its customer. Source: rule R5. */
export const customerAppointmentStatusSchema = z.enum([
  'upcoming',
  'past',
  'cancelled',
  'pending_cancellation',
  'awaits_payment',
  'awaits_email_code',
])
export type CustomerAppointmentStatus = z.infer<typeof customerAppointmentStatusSchema>

/** The current terms of a cancellation. Source: rule Q4. */
const cancellationSchema = z.object({
  way: z.enum(['alone', 'by_request', 'none']),
  /** The time until which the customer can cancel without asking the owner; null when they cannot. */
  until: instantSchema.nullable(),
  /** The refund; null when nothing was paid or the policy grants none. */
  refund: z.object({ percent: z.number().int(), amount: z.number() }).nullable(),
  /** The amount refunded for the cancellation; null when the appointment is not cancelled or no refund was decided. */
  given_back: z.number().nullable(),
  /** ISO 4217, in lower case. */
  currency: z.string(),
})

/** An appointment on the customer's page, which anyone with its link can see. */
export const customerAppointmentSchema = componentSchema('ManagedAppointment', {
  appointment: publicAppointmentSchema,
  standing: customerAppointmentStatusSchema,
  /** The start time before the latest move; null when the appointment was never moved. */
  moved_from: instantSchema.nullable(),
  /** The customer's details, as typed for this booking. */
  customer: z.object({
    name: z.string(),
    phone: z.string().nullable(),
    /** The email address with everything hidden except its first character; null when there is none. */
    email_hint: z.string().nullable(),
  }),
  cancellation: cancellationSchema,
  /** If it belongs to a series: itself and the later dates that are booked and ahead, in order. Source: rule B64. */
  following: z.array(
    z.object({
      /** The number of the date in its series. */
      number: z.int(),
      starts_at: instantSchema,
      standing: customerAppointmentStatusSchema,
      way: cancellationSchema.shape.way,
      refund: cancellationSchema.shape.refund,
    }),
  ),
  /** True when the customer can change the details: the appointment is in the future and not cancelled. Source: rule R7. */
  can_change: z.boolean(),
  /** True when the calendar's booking form asks for a title. */
  has_title: z.boolean(),
  /** True when this browser has a customer session, which may list all of the customer's appointments. Source: rule R8. */
  is_confirmed: z.boolean(),
  /** When this link expires. */
  link_ends_at: instantSchema,
})
export type CustomerAppointment = z.infer<typeof customerAppointmentSchema>

/**
 * The terms that the customer saw when they cancelled. The cancellation is refused when the terms have changed since, for example
 * because a deadline has passed.
 */
export const cancelByCustomerBody = componentSchema('CancelManaged', {
  way: z.enum(['alone', 'by_request']),
  /** The amount shown as `cancellation.refund`. */
  refund_amount: z
    .number()
    .min(0)
    .max(LIMITS.priceCents / 100)
    .nullable(),
  expected_starts_at: expectedStartSchema,
})
export type CancelByCustomerBody = z.infer<typeof cancelByCustomerBody>

/** The dates of a series to cancel, each on the terms that the customer saw. Dates that are not listed stay. Source: rule B64. */
export const cancelDatesBody = componentSchema('CancelManagedDates', {
  dates: z
    .array(cancelByCustomerBody.extend({ number: z.int().min(1) }))
    .min(1)
    .max(SERIES_LIMITS.mostDates),
})
export type CancelDatesBody = z.infer<typeof cancelDatesBody>

/** The details that a customer can change. Absent fields stay unchanged. Source: rule R7. */
export const customerDetailsChanges = partialUpdateSchema({
  phone: singleLineSchema(LIMITS.phone).nullable(),
  time_zone: singleLineSchema(LIMITS.timeZone),
  title: singleLineSchema(LIMITS.appointmentTitle).nullable(),
  description: multilineTextSchema(LIMITS.appointmentDescription).nullable(),
}).meta({ id: 'ManagedDetails' })

/** What a calendar file contains: the appointment, or also the later dates of its series that are booked. Source: rule B48. */
export const calendarFileQuery = z.object({ of: z.enum(['appointment', 'series']).default('appointment') })

/** The emailed code. */
export const customerSessionBody = componentSchema('CustomerSession', {
  code: emailedCodeSchema(LIMITS.emailCode, 'confirmation.wrong_code'),
})

/** Maximum number of appointments in the customer's list. The latest are listed. */
export const MAX_LISTED_APPOINTMENTS = 200

/** A customer's appointments with one practice. Source: rule R9. */
export const customerAppointmentsResponse = componentSchema('ManagedAppointments', {
  appointments: z.array(
    z.object({
      id: idSchema,
      booking_reference: z.string(),
      title: z.string(),
      standing: customerAppointmentStatusSchema,
      starts_at: instantSchema,
      ends_at: instantSchema,
      time_zone: z.string(),
      hour_cycle: hourCycleSchema,
      customer_time_zone: z.string().nullable(),
      is_online: z.boolean(),
      /** The signed token of the appointment's page; null when the link has expired. */
      token: z.string().nullable(),
    }),
  ),
  /** False when there are more appointments than listed. */
  is_complete: z.boolean(),
})
export type CustomerAppointmentsResponse = z.infer<typeof customerAppointmentsResponse>
