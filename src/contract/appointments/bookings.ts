import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  clockTimeSchema,
  dateSchema,
  expectedStartSchema,
  hourCycleSchema,
  idSchema,
  idSchemaWithError,
  instantInputSchema,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { SERIES_INTERVALS_WEEKS, SERIES_LIMITS } from '#core/slots/plan-series.ts'
import { answersInput } from './questions.ts'

export const appointmentStatus = z.enum(['confirmed', 'cancelled', 'pending_cancellation', 'pending_payment'])
export const paymentStatus = z.enum(['not_required', 'pending', 'paid', 'failed', 'refunded'])

const startSchema = instantInputSchema({
  unreadable: 'booking.incomplete',
  tooEarly: 'booking.slot_unavailable',
  tooLate: 'booking.slot_unavailable',
})

/** The further dates of a series, whose first date is the booking's own start. Source: rule B48. */
const furtherDatesSchema = componentSchema('FurtherDates', {
  every_weeks: z.literal(SERIES_INTERVALS_WEEKS),
  /** The dates to book, in order. Dates of the rule that are not listed are left out. */
  dates: z
    .array(
      z.object({
        /** The number of the date in the rule. The first date is number 1. */
        number: z.int().min(2).max(SERIES_LIMITS.mostDates),
        /** The time of the rule, or an offered time near it. */
        starts_at: startSchema,
      }),
    )
    .min(1, 'series.count_invalid')
    .max(SERIES_LIMITS.mostDates - 1)
    .refine(areInOrder, 'Please list the dates in order, and each once.'),
})
export type FurtherDates = z.infer<typeof furtherDatesSchema>

function areInOrder(dates: readonly { readonly number: number; readonly starts_at: string }[]): boolean {
  return dates.every(({ number, starts_at }, i) => {
    const before = dates[i - 1]
    return (
      before === undefined || (before.number < number && Date.parse(before.starts_at) < Date.parse(starts_at))
    )
  })
}

/**
 * A customer's booking request. The server determines price, status, location and end. `time_zone` is the customer's own, which
 * their emails use. Source: rule B3.
 */
export const createBookingBody = componentSchema('NewAppointment', {
  appointment_type_id: idSchema.nullish(),
  starts_at: startSchema,
  series: furtherDatesSchema.nullish(),
  time_zone: singleLineSchema(LIMITS.timeZone).nullish(),
  title: singleLineSchema(LIMITS.appointmentTitle).nullish(),
  description: multilineTextSchema(LIMITS.appointmentDescription).nullish(),
  customer: z.object(
    {
      name: singleLineSchema(LIMITS.personName, 'booking.incomplete').min(1, 'booking.incomplete'),
      email: singleLineSchema(LIMITS.email, 'booking.incomplete')
        .min(1, 'booking.incomplete')
        .pipe(emailAddressSchema),
      phone: singleLineSchema(LIMITS.phone).nullish(),
    },
    'booking.incomplete',
  ),
  /**
   * The policy text that the customer read. The booking is refused when the text has changed since. When absent, the current
   * policy applies. Source: rule Q7.
   */
  policy_text: multilineTextSchema(LIMITS.policyText).nullish(),
  answers: answersInput.nullish(),
  /** Sent only by the booking form: a honeypot field that people cannot see, and how long the form was open. */
  website: singleLineSchema(LIMITS.hiddenField).nullish(),
  form_open_ms: z.int().min(0).max(LIMITS.formOpenMs).nullish(),
})
export type CreateBookingBody = z.input<typeof createBookingBody>

/** For 24 hours, requests with this key and the same body get the same response. Source: rule X2. */
export const idempotencyHeaders = z.object({
  'idempotency-key': singleLineSchema(LIMITS.idempotencyKey).min(1).optional(),
})

/** A malformed id is refused like an unknown id. Source: rule X3. */
export const appointmentLinkParams = z.object({ id: idSchemaWithError('appointment.not_found') })

/** An appointment as anyone with its id can see it (rule B18): without email address, phone number and client id. */
export const publicAppointmentSchema = componentSchema('PublicAppointment', {
  id: idSchema,
  booking_reference: z.string(),
  status: appointmentStatus,
  payment_status: paymentStatus,
  /** The time by which the customer must confirm their email address; null when no confirmation is needed. */
  confirm_email_until: instantSchema.nullable(),
  /** In `time_zone`, which is the calendar's time zone at the time of booking. */
  date: dateSchema,
  start_time: clockTimeSchema,
  end_time: clockTimeSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** True when the appointment starts at another time than the customer booked. */
  is_moved: z.boolean(),
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  customer_time_zone: z.string().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  calendar_slug: z.string(),
  calendar_name: z.string(),
  calendar_category: z.string().nullable(),
  calendar_color: z.string(),
  /** The calendar's location, for an appointment without its own. */
  calendar_location: z.string().nullable(),
  public_url: z.string(),
  professional_first_name: z.string().nullable(),
  professional_last_name: z.string().nullable(),
  /** The booked type, which may have been deleted since. Null without a type. */
  appointment_type_id: idSchema.nullable(),
  appointment_type_name: z.string().nullable(),
  appointment_type_price: z.number().nullable(),
  /** The fee note at the time of booking; null when the appointment has a price. Source: rule C19. */
  fee_note: z.string().nullable(),
  /**
   * What the booking's policy still allows. Null after the start, and for bookings from before policies existed. Source:
   * rule Q7.
   */
  policy_text: z.string().nullable(),
  /** The last instant at which the policy lets the customer move the appointment; null for never. */
  move_until: instantSchema.nullable(),
  /** The last instant at which the policy lets the customer cancel the appointment or ask for that. */
  cancel_until: instantSchema,
  /** A note next to the price, such as that the payment was simulated. */
  price_note: z.string().nullable(),
  is_online: z.boolean(),
  location_name: z.string().nullable(),
  location_address: z.string().nullable(),
})
export type PublicAppointment = z.infer<typeof publicAppointmentSchema>

export const createBookingResponse = publicAppointmentSchema
  .extend({
    /** False when the confirmation email could not be queued. The booking is still valid. Source: rule B17. */
    confirmation_email_queued: z.boolean(),
    /**
     * The token of the customer's page for this appointment. Only the customer who books receives it, in this response. Null when
     * an owner books. Source: rule R1.
     */
    manage_token: z.string().nullable(),
    /** The further dates of a series, in order; empty for a single appointment. */
    further_dates: z.array(
      z.object({
        id: idSchema,
        booking_reference: z.string(),
        starts_at: instantSchema,
        ends_at: instantSchema,
      }),
    ),
  })
  .meta({ id: 'BookedAppointment' })
export type CreateBookingResponse = z.infer<typeof createBookingResponse>

/** The start time that the customer saw when they requested the cancellation. */
export const cancellationRequestQuery = z.object({ expected_starts_at: expectedStartSchema })

export const cancellationRequestResponse = componentSchema('CancellationRequest', {
  id: idSchema,
  status: appointmentStatus,
  booking_reference: z.string(),
})
export type CancellationRequestResponse = z.infer<typeof cancellationRequestResponse>
