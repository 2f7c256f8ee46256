import { z } from 'zod'
import { policySchema } from '#contract/appointments/policies.ts'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { DEFAULT_COLOR, LIMITS } from '#contract/shared/limits.ts'
import {
  colorSchema,
  idSchema,
  multilineTextSchema,
  orNull,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { bookingLimitsSchema } from '#contract/slots/booking-limits.ts'
import { bookableDatesShape, bookingWindowSchema } from '#contract/slots/booking-window.ts'
import { OWNERS_WORK_LIMITS } from '#core/slots/occupied-time.ts'
import { SERIES_INTERVALS_WEEKS, SERIES_LIMITS } from '#core/slots/plan-series.ts'
import { SEAT_LIMITS } from '#core/slots/sessions.ts'
import { OWN_LENGTH, START_STEP_LIMITS } from '#core/slots/start-pattern.ts'
import { locationSummary } from './location-summary.ts'
import { availabilityPreviewQuery, storedTypeHoursSchema, typeHoursSchema } from './opening-hours.ts'

const PRICE_BOUNDS = 'Please enter a price from 0.00 to 100,000.00 with at most two decimals.'

/** A price in the API, in currency units. The server stores minor units. Source: rule F12. */
export const priceSchema = z
  .number(PRICE_BOUNDS)
  .min(0, PRICE_BOUNDS)
  .max(LIMITS.priceCents / 100, PRICE_BOUNDS)
  .multipleOf(0.01, PRICE_BOUNDS)

const MOST_DATES_BOUNDS = `Please enter ${SERIES_LIMITS.fewestDates} to ${SERIES_LIMITS.mostDates} dates.`

/** Which series customers can book of a type: every so many weeks, and at most so many dates. Source: rule B47. */
export const customerSeriesRuleSchema = componentSchema('CustomerSeriesRule', {
  every_weeks: z
    .array(z.literal(SERIES_INTERVALS_WEEKS))
    .min(1, 'Please choose at least one interval.')
    .max(SERIES_INTERVALS_WEEKS.length)
    .refine((weeks) => new Set(weeks).size === weeks.length, 'Please choose each interval once.')
    .overwrite((weeks) => weeks.toSorted((a, b) => a - b)),
  most_dates: z
    .number(MOST_DATES_BOUNDS)
    .int(MOST_DATES_BOUNDS)
    .min(SERIES_LIMITS.fewestDates, MOST_DATES_BOUNDS)
    .max(SERIES_LIMITS.mostDates, MOST_DATES_BOUNDS),
})

/** An appointment type as its owner sees it (rule C12). */
export const appointmentTypeSchema = componentSchema('AppointmentType', {
  id: idSchema,
  calendar_id: idSchema,
  name: z.string(),
  duration: z.number().int(),
  /** Minutes of the owner's work before and after an appointment. Source: rule T46. */
  prepare_minutes: z.number().int(),
  wrap_up_minutes: z.number().int(),
  /** Minutes from one start to the next: null for the slot length, 0 for the type's own length. Source: rule T63. */
  start_step_minutes: z.number().int().nullable(),
  /** True when appointments also start right after busy times, and end right before them. Source: rule T64. */
  is_packed: z.boolean(),
  description: z.string().nullable(),
  color: colorSchema,
  price: z.number().nullable(),
  /** Text for customers where a price would be; null when the type has a price. Source: rule C19. */
  fee_note: z.string().nullable(),
  stripe_price_id: z.string().nullable(),
  is_online: z.boolean(),
  location_id: idSchema.nullable(),
  payment_required: z.boolean(),
  /** How many customers share a session; null when each appointment has its time for itself. Source: rule B50. */
  seats: z.number().int().nullable(),
  /** True when customers read how many seats are left. Source: rule B53. */
  shows_seats: z.boolean(),
  /** False when customers reach the type only by its link. Source: rule T65. */
  is_listed: z.boolean(),
  /** The type's own booking window, which replaces the calendar's; null when that applies. Source: rule T69. */
  booking_window: bookingWindowSchema.nullable(),
  /** The type's own policy; null when the calendar's policy applies. Source: rule Q1. */
  policy: policySchema.nullable(),
  /** Which series customers can book; null for none. Source: rule B47. */
  series_rule: customerSeriesRuleSchema.nullable(),
  /** Limits of the appointments of this type. Source: rule T51. */
  booking_limits: bookingLimitsSchema,
  /** The type's own hours; empty when it can be booked whenever the calendar is open. Source: rule T60. */
  hours: storedTypeHoursSchema,
  location: locationSummary.nullable(),
})
export type AppointmentType = z.infer<typeof appointmentTypeSchema>

/** A calendar's appointment types. They can have prices only when a payment provider is connected (rule C13). */
export const appointmentTypesResponse = componentSchema('AppointmentTypes', {
  appointment_types: z.array(appointmentTypeSchema),
  stripe_connected: z.boolean(),
  paypal_connected: z.boolean(),
})
export type AppointmentTypesResponse = z.infer<typeof appointmentTypesResponse>

/** The number of future appointments of a type, shown before it is deleted. */
export const appointmentTypeUsageResponse = componentSchema('AppointmentTypeUsage', {
  future_appointments: z.number().int(),
})
export type AppointmentTypeUsage = z.infer<typeof appointmentTypeUsageResponse>

/** An appointment type as visitors see it. Other fields stay private to the owner. */
export const publicAppointmentTypeSchema = appointmentTypeSchema
  .pick({
    id: true,
    name: true,
    duration: true,
    description: true,
    color: true,
    price: true,
    fee_note: true,
    is_online: true,
    payment_required: true,
    is_listed: true,
  })
  // The type's own location; without one, the calendar's primary location (rule B28).
  .extend({
    location: locationSummary.nullable(),
    ...bookableDatesShape,
    /** The policy as text. Source: rule Q7. */
    policy_text: z.string(),
    /** The series that customers can book; null for none. Source: rule B47. */
    series: customerSeriesRuleSchema.nullable(),
  })
  .meta({ id: 'PublicAppointmentType' })
export type PublicAppointmentType = z.infer<typeof publicAppointmentTypeSchema>
export const publicAppointmentTypesResponse = componentSchema('PublicAppointmentTypes', {
  appointment_types: z.array(publicAppointmentTypeSchema),
})

/** The order of a calendar's appointment types (rule C18). */
export const appointmentTypeOrderBody = z
  .strictObject({ appointment_type_ids: z.array(idSchema).max(LIMITS.typesPerCalendar) })
  .meta({ id: 'AppointmentTypeOrder' })

/** The value that the form sends when the type has no location of its own (rule C14). */
export const NO_OWN_LOCATION_VALUE = 'no-location'

const WORK_BOUNDS = `Please use 0 to ${OWNERS_WORK_LIMITS.minutes} minutes, in steps of ${OWNERS_WORK_LIMITS.stepMinutes}.`
const workMinutesSchema = z
  .number(WORK_BOUNDS)
  .min(0, WORK_BOUNDS)
  .max(OWNERS_WORK_LIMITS.minutes, WORK_BOUNDS)
  .multipleOf(OWNERS_WORK_LIMITS.stepMinutes, WORK_BOUNDS)

const SEAT_BOUNDS = `Please enter ${SEAT_LIMITS.least} to ${SEAT_LIMITS.most} seats.`
const { minMinutes, maxMinutes, stepMinutes } = START_STEP_LIMITS
const STEP_BOUNDS = `Please use ${minMinutes} to ${maxMinutes} minutes, in steps of ${stepMinutes}.`

/** The fields of the form of an appointment type. */
export const appointmentTypeFields = {
  name: singleLineSchema(LIMITS.typeName, 'appointment_type.name_required').min(
    1,
    'appointment_type.name_required',
  ),
  duration: z
    .number('appointment_type.duration_too_short')
    .int('appointment_type.duration_too_short')
    .min(LIMITS.typeDurationMin, 'appointment_type.duration_too_short')
    .max(LIMITS.typeDurationMax, `Please use at most ${LIMITS.typeDurationMax} minutes.`),
  prepare_minutes: workMinutesSchema,
  wrap_up_minutes: workMinutesSchema,
  start_step_minutes: z
    .number(STEP_BOUNDS)
    .min(OWN_LENGTH, STEP_BOUNDS)
    .max(START_STEP_LIMITS.maxMinutes, STEP_BOUNDS)
    .multipleOf(START_STEP_LIMITS.stepMinutes, STEP_BOUNDS)
    .nullable(),
  is_packed: z.boolean(),
  description: orNull(multilineTextSchema(LIMITS.typeDescription)),
  color: colorSchema,
  price: priceSchema.nullable(),
  fee_note: orNull(singleLineSchema(LIMITS.feeNote)),
  stripe_price_id: orNull(singleLineSchema(LIMITS.stripePriceId)),
  is_online: z.boolean(),
  location_id: z
    .union([idSchema, z.literal(NO_OWN_LOCATION_VALUE)])
    .nullable()
    .transform((choice) => (choice === NO_OWN_LOCATION_VALUE ? null : choice)),
  payment_required: z.boolean(),
  seats: z
    .number(SEAT_BOUNDS)
    .int(SEAT_BOUNDS)
    .min(SEAT_LIMITS.least, SEAT_BOUNDS)
    .max(SEAT_LIMITS.most, SEAT_BOUNDS)
    .nullable(),
  shows_seats: z.boolean(),
  is_listed: z.boolean(),
  booking_window: bookingWindowSchema.nullable(),
  policy: policySchema.nullable(),
  series_rule: customerSeriesRuleSchema.nullable(),
  booking_limits: bookingLimitsSchema,
  hours: typeHoursSchema,
}

export const appointmentTypeBody = componentSchema('NewAppointmentType', {
  ...appointmentTypeFields,
  duration: appointmentTypeFields.duration.default(30),
  prepare_minutes: appointmentTypeFields.prepare_minutes.default(0),
  wrap_up_minutes: appointmentTypeFields.wrap_up_minutes.default(0),
  start_step_minutes: appointmentTypeFields.start_step_minutes.default(null),
  is_packed: appointmentTypeFields.is_packed.default(false),
  description: appointmentTypeFields.description.default(null),
  color: appointmentTypeFields.color.default(DEFAULT_COLOR),
  price: appointmentTypeFields.price.default(null),
  fee_note: appointmentTypeFields.fee_note.default(null),
  stripe_price_id: appointmentTypeFields.stripe_price_id.default(null),
  is_online: appointmentTypeFields.is_online.default(false),
  location_id: appointmentTypeFields.location_id.default(null),
  payment_required: appointmentTypeFields.payment_required.default(false),
  seats: appointmentTypeFields.seats.default(null),
  shows_seats: appointmentTypeFields.shows_seats.default(true),
  is_listed: appointmentTypeFields.is_listed.default(true),
  booking_window: appointmentTypeFields.booking_window.default(null),
  policy: appointmentTypeFields.policy.default(null),
  series_rule: appointmentTypeFields.series_rule.default(null),
  booking_limits: appointmentTypeFields.booking_limits.default([]),
  hours: appointmentTypeFields.hours.default([]),
})
export type AppointmentTypeBody = z.infer<typeof appointmentTypeBody>

/** A change to an appointment type. Absent fields stay unchanged. */
export const appointmentTypeChanges = partialUpdateSchema(appointmentTypeFields).meta({
  id: 'AppointmentTypeChanges',
})

/**
 * The rules of a type that decide when it can be booked, for a preview of seven days. Absent rules are those of a new type. The
 * id is absent for a type that isn't created yet. Source: rule T71.
 */
export const appointmentTypePreviewBody = appointmentTypeBody
  .pick({
    duration: true,
    prepare_minutes: true,
    wrap_up_minutes: true,
    start_step_minutes: true,
    is_packed: true,
    is_online: true,
    location_id: true,
    seats: true,
    booking_window: true,
    booking_limits: true,
    hours: true,
  })
  .extend(availabilityPreviewQuery.shape)
  .meta({ id: 'AppointmentTypePreview' })
