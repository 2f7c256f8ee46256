import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import { componentSchema } from '#contract/shared/component.ts'
import {
  dateSchema,
  hourCycleSchema,
  idSchema,
  idSchemaWithError,
  instantInputSchema,
  instantSchema,
} from '#contract/shared/primitives.ts'
import { START_REASONS } from '#core/slots/explain-start.ts'
import { SERIES_INTERVALS_WEEKS, SERIES_LIMITS } from '#core/slots/plan-series.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'
import {
  appointmentTimeCheckResponse,
  createOwnAppointmentBody,
  createOwnAppointmentResponse,
  isWholeMinute,
  localTimeSchema,
  ownerChosenStartSchema,
  SECONDS_REFUSED,
} from './owner-booking.ts'

export const seriesParams = calendarParams.extend({ series_id: idSchemaWithError('series.not_found') })

const { appointment_type_id, duration, title, description, customer, answers, notify_customer } =
  createOwnAppointmentBody.shape

/** The rule of a series: a time on the calendar's clock every few weeks, from a first date. Source: rule B38. */
const ruleShape = {
  appointment_type_id,
  /** Only for appointments without a type. */
  duration,
  date: dateSchema,
  time: localTimeSchema,
  every_weeks: z.coerce.number<number>().pipe(z.literal(SERIES_INTERVALS_WEEKS)),
}

const { fewestDates, mostDates } = SERIES_LIMITS
const countSchema = z.coerce.number<number>('series.count_invalid').int('series.count_invalid')

/** Asks for the dates of a series. Without `count` and `until` it is a standing appointment. */
export const seriesPlanQuery = z.object({
  ...ruleShape,
  count: countSchema
    .min(fewestDates, 'series.count_invalid')
    .max(mostDates, 'series.count_invalid')
    .optional(),
  until: dateSchema.optional(),
})

const { time_zone, reading } = appointmentTimeCheckResponse.shape
const nearTime = z.object({ starts_at: instantSchema, ends_at: instantSchema })

/** The dates of a series in order, each with everything that speaks against it. Source: rule B39. */
export const seriesPlanResponse = componentSchema('SeriesPlan', {
  time_zone,
  hour_cycle: hourCycleSchema,
  dates: z.array(
    componentSchema('PlannedDate', {
      date: dateSchema,
      starts_at: instantSchema,
      ends_at: instantSchema,
      reading,
      /** Most important first; empty if customers are offered the time. Free dates before it count as booked. */
      reasons: z.array(z.enum(START_REASONS)),
      /** Up to three offered times near this one, if it has reasons. */
      near_times: z.array(nearTime),
    }),
  ),
})
export type SeriesPlan = z.infer<typeof seriesPlanResponse>
export type PlannedDate = SeriesPlan['dates'][number]

/** Asks for the dates of a series that a customer wants to book. Source: rule B48. */
export const publicSeriesPlanQuery = z.object({
  appointment_type_id: idSchema,
  /** The start of the first date. */
  starts_at: instantInputSchema({
    unreadable: 'booking.time_required',
    tooEarly: 'booking.slot_unavailable',
    tooLate: 'booking.slot_unavailable',
  }),
  every_weeks: ruleShape.every_weeks,
  count: countSchema.min(fewestDates, 'series.count_invalid').max(mostDates, 'series.count_invalid'),
})

/** The dates of a series in order. It reveals only what the list of free times shows. */
export const publicSeriesPlanResponse = componentSchema('PublicSeriesPlan', {
  dates: z.array(
    z.object({
      starts_at: instantSchema,
      /** Whether the time can be booked, with the free dates before it booked. */
      is_free: z.boolean(),
      /** Up to three free times near a date that is not free. */
      near_times: z.array(instantSchema),
    }),
  ),
})
export type PublicSeriesPlan = z.infer<typeof publicSeriesPlanResponse>

/** Books all given dates of a series, or none. */
export const createSeriesBody = z
  .object({
    ...ruleShape,
    /** True for a standing appointment, which has no end. */
    is_standing: z.boolean(),
    /** How many dates the rule has, including those that are left out. */
    planned: countSchema.min(1, 'series.count_invalid').max(mostDates, 'series.count_invalid'),
    /** The dates to book. The others are left out. */
    dates: z
      .array(
        z.object({
          /** The number of the date in the rule, from 1. */
          number: z.int().min(1).max(mostDates),
          /** Another time for this date; absent for the time of the rule. */
          starts_at: ownerChosenStartSchema.refine(isWholeMinute, SECONDS_REFUSED).optional(),
          /** True when the owner overrides the warnings about this date. Source: rule O2. */
          outside_hours: z.boolean().default(false),
        }),
      )
      .min(1, 'series.count_invalid')
      .max(mostDates, 'series.count_invalid'),
    title,
    description,
    customer,
    answers,
    notify_customer,
  })
  .refine(({ is_standing, planned }) => is_standing || planned >= fewestDates, 'series.count_invalid')
  .refine(
    ({ dates, planned }) =>
      dates.every(({ number }) => number <= planned) &&
      new Set(dates.map(({ number }) => number)).size === dates.length,
    { path: ['dates'], message: 'Please list each date once.' },
  )
  .meta({ id: 'NewSeries' })
export type CreateSeriesBody = z.input<typeof createSeriesBody>

const { confirmation_email_queued, confirmation_email_wanted, warning } = createOwnAppointmentResponse.shape

export const createSeriesResponse = componentSchema('BookedSeries', {
  series_id: idSchema,
  /** The booked appointments, earliest first. */
  appointments: z.array(
    z.object({
      id: idSchema,
      booking_reference: z.string(),
      starts_at: instantSchema,
      ends_at: instantSchema,
    }),
  ),
  confirmation_email_queued,
  confirmation_email_wanted,
  warning,
})
export type CreateSeriesResponse = z.infer<typeof createSeriesResponse>

export const seriesResponse = componentSchema('Series', {
  every_weeks: z.literal(SERIES_INTERVALS_WEEKS),
  /** True while further dates are booked. */
  is_standing: z.boolean(),
  /** Its appointments in their order, cancelled ones too. */
  dates: z.array(
    z.object({
      appointment_id: idSchema,
      number: z.int(),
      starts_at: instantSchema,
      ends_at: instantSchema,
      status: appointmentStatus,
      payment_status: paymentStatus,
    }),
  ),
})
export type SeriesResponse = z.infer<typeof seriesResponse>

export const endSeriesBody = componentSchema('EndSeries', {
  /** Cancels the appointment with this number and all later ones; null cancels none. */
  cancel_from: z.int().min(1).nullable(),
})
export type EndSeriesBody = z.input<typeof endSeriesBody>

export const endSeriesResponse = componentSchema('EndedSeries', {
  cancelled: z.int(),
  /** Later appointments that stay, because of their payment. */
  kept: z.int(),
})
export type EndSeriesResponse = z.infer<typeof endSeriesResponse>
