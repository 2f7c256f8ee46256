import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { clockTimeSchema, dateSchema, idSchema, storableTextSchema } from '#contract/shared/primitives.ts'
import { slotSettingsSchema, slotSettingsWithLimits } from '#contract/slots/slot-settings.ts'
import { slotSchema } from '#contract/slots/slots.ts'

/** A day of the week: 0 is Sunday, 6 is Saturday (rule T1). */
const weekdaySchema = z.number().int().min(0).max(6)

const NO_DAY = 'Please choose at least one day.'
const NOT_A_CLOCK = 'Please enter a time as HH:MM.'

/**
 * A local time in whole minutes; seconds are optional. 24:00 is the end of the day. `missing` is the error when the time is
 * absent. Source: rule T25.
 */
function wallClock(missing: string) {
  return storableTextSchema(missing)
    .min(1, { error: missing, abort: true })
    .max(8, NOT_A_CLOCK)
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)(:00)?$/, { error: NOT_A_CLOCK, abort: true })
    .transform((text) => (text.length === 5 ? `${text}:00` : text))
}

/** One range of the weekly opening hours, in the calendar's time zone, together with the calendar's slot settings (rule T1). */
export const availabilitySchema = slotSettingsSchema
  .extend({
    id: idSchema,
    calendar_id: idSchema,
    day_of_week: weekdaySchema,
    start_time: clockTimeSchema,
    end_time: clockTimeSchema,
  })
  .meta({ id: 'Availability' })
export type Availability = z.infer<typeof availabilitySchema>

/** The fields of an appointment type that the slot rules need. */
const typeLength = z.object({
  id: idSchema,
  name: z.string(),
  duration: z.number().int(),
  start_step_minutes: z.number().int().nullable(),
  is_packed: z.boolean(),
})

/** The weekly opening hours, Monday first, each day sorted by start. */
export const availabilityResponse = slotSettingsWithLimits
  .extend({
    availability: z.array(availabilitySchema),
    appointment_types: z.array(typeLength),
  })
  .meta({ id: 'AvailableWeek' })
export type AvailabilityResponse = z.infer<typeof availabilityResponse>

const rangeShape = {
  start_time: wallClock('Please choose a start time.'),
  end_time: wallClock('Please choose an end time.'),
}

const startsBeforeEnd = (range: { readonly start_time: string; readonly end_time: string }) =>
  range.start_time < range.end_time
const STARTS_TOO_LATE = { path: ['end_time'], message: 'availability.start_after_end' }

/** A range of opening hours without a day (rule T25). */
export const openingRangeSchema = z.object(rangeShape).refine(startsBeforeEnd, STARTS_TOO_LATE)

/** A new range of the weekly opening hours (rule T25). */
export const availabilityBody = z
  .object({ day_of_week: weekdaySchema, ...rangeShape })
  .refine(startsBeforeEnd, STARTS_TOO_LATE)
  .meta({ id: 'NewAvailability' })
export type AvailabilityBody = z.input<typeof availabilityBody>

/** The new times of a range. `was` contains the times that the form showed before the edit (rule X4). */
export const availabilityChanges = z
  .object({ ...rangeShape, was: z.object(rangeShape).optional() })
  .refine(startsBeforeEnd, STARTS_TOO_LATE)
  .meta({ id: 'AvailabilityChange' })

/** The weekly hours of an appointment type; an empty list when it can be booked whenever its calendar is open. Source: rule T60. */
export const typeHoursSchema = z
  .array(availabilityBody)
  .max(7 * LIMITS.rangesPerWeekday, 'availability.too_many')
  .superRefine((hours, context) => {
    hours.forEach((range, index) => {
      const before = hours.slice(0, index).filter(({ day_of_week }) => day_of_week === range.day_of_week)
      const isTooMany = before.length >= LIMITS.rangesPerWeekday
      const overlaps = before.some(
        ({ start_time, end_time }) => start_time < range.end_time && range.start_time < end_time,
      )
      if (!isTooMany && !overlaps) return
      const message = isTooMany ? 'availability.too_many' : 'availability.overlap'
      context.addIssue({ code: 'custom', path: [index, 'start_time'], message })
    })
  })

/** The stored weekly hours of an appointment type, Monday first. */
export const storedTypeHoursSchema = z.array(
  availabilitySchema.pick({ day_of_week: true, start_time: true, end_time: true }),
)
export type TypeHoursRange = z.infer<typeof storedTypeHoursSchema>[number]

/**
 * The times of a range as the screen showed them when it was removed. Without them, the range is removed whatever its times are
 * (rule X4).
 */
export const removeAvailabilityQuery = z.object(rangeShape).partial()

/** The opening hours of one weekday. An empty list closes the day. */
const dayHoursSchema = z
  .object({
    day_of_week: weekdaySchema,
    ranges: z.array(openingRangeSchema).max(LIMITS.rangesPerWeekday, 'availability.too_many'),
  })
  .meta({ id: 'DayHours' })
export type DayHoursBody = z.input<typeof dayHoursSchema>

/** The hours that the screen showed for some weekdays before the edit. The others are not compared (rule X4). */
const shownDays = z.array(dayHoursSchema).max(7).optional()

/** New opening hours of some weekdays, for example with a lunch break. */
export const replaceAvailabilityBody = z
  .object({
    days: z.array(dayHoursSchema).min(1, NO_DAY).max(7),
    was: shownDays,
  })
  .refine(({ days }) => new Set(days.map(({ day_of_week }) => day_of_week)).size === days.length, {
    path: ['days'],
    message: 'Please list each day only once.',
  })
  .meta({ id: 'ReplaceAvailability' })
export type ReplaceAvailabilityBody = z.input<typeof replaceAvailabilityBody>

/** Copies the opening hours of one weekday to other weekdays, replacing theirs. */
export const copyAvailabilityBody = z
  .object({
    from_day: weekdaySchema,
    to_days: z.array(weekdaySchema).min(1, NO_DAY).max(6),
    was: shownDays,
  })
  .refine(({ from_day, to_days }) => !to_days.includes(from_day), {
    path: ['to_days'],
    message: 'Please choose days other than the copied one.',
  })
  .meta({ id: 'CopyAvailability' })
export type CopyAvailabilityBody = z.input<typeof copyAvailabilityBody>

/** A request for a preview of seven days, starting at `from`, or at today in the calendar's time zone. */
export const availabilityPreviewQuery = z.object({
  from: dateSchema.optional(),
  appointment_type_id: idSchema.optional(),
})

/** The times that customers are offered on seven days, in the calendar's time zone. */
export const availabilityPreviewResponse = componentSchema('Preview', {
  time_zone: z.string(),
  days: z.array(z.object({ date: dateSchema, slots: z.array(slotSchema) })),
})
export type AvailabilityPreview = z.infer<typeof availabilityPreviewResponse>
