import { z } from 'zod'
import { changesOf } from './changes.ts'
import { LIMITS, SLOT_LENGTHS } from './limits.ts'
import { anyText, clockSchema, dateSchema, idSchema } from './primitives.ts'
import { slotSchema } from './slots.ts'

/** 0 Sunday to 6 Saturday (rule T1). */
const weekdaySchema = z.number().int().min(0).max(6)

const NOT_A_CLOCK = 'Please give a time as HH:MM.'

/**
 * A clock time in whole minutes; the seconds may be left out. 24:00 is the end of a day. `missing` is the sentence when
 * there is none. Source: rule T25.
 */
function wallClock(missing: string) {
  return anyText(missing)
    .min(1, { error: missing, abort: true })
    .max(8, NOT_A_CLOCK)
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)(:00)?$/, { error: NOT_A_CLOCK, abort: true })
    .transform((text) => (text.length === 5 ? `${text}:00` : text))
}

const slotSettings = {
  slot_duration_minutes: z.literal(SLOT_LENGTHS, 'Please choose 15, 30 or 60 minutes.'),
  buffer_time_minutes: z
    .number('Please choose a buffer from 0 to 60 minutes.')
    .min(0, 'Please choose a buffer from 0 to 60 minutes.')
    .max(LIMITS.bufferMinutes, 'Please choose a buffer from 0 to 60 minutes.')
    .multipleOf(LIMITS.bufferStepMinutes, 'Please choose a buffer in steps of 5 minutes.'),
  max_appointment_duration_minutes: z
    .number('Please give whole minutes.')
    .int('Please give whole minutes.')
    .min(Math.min(...SLOT_LENGTHS), 'availability.max_below_slot')
    .max(LIMITS.longestAppointmentMinutes, `Please use at most ${LIMITS.longestAppointmentMinutes} minutes.`),
  minimum_notice_minutes: z
    .number('Please choose a notice.')
    .int('Please choose a notice in whole minutes.')
    .min(0, 'Please choose a notice of at most 30 days.')
    .max(LIMITS.noticeMinutes, 'Please choose a notice of at most 30 days.'),
}

/** A calendar's "Time-slot settings" (rule T17). */
export const slotSettingsSchema = z.object(slotSettings)
export type SlotSettings = z.infer<typeof slotSettingsSchema>
/** The settings in a form: the longest appointment is not shorter than a slot. Source: rule T18. */
export const slotSettingsForm = slotSettingsSchema.refine(
  (settings) => settings.max_appointment_duration_minutes >= settings.slot_duration_minutes,
  { path: ['max_appointment_duration_minutes'], message: 'availability.max_below_slot' },
)
export const slotSettingsChanges = changesOf(slotSettings)

/** One range of a weekday, wall clock of the calendar's zone, with the calendar's settings beside it (rule T1). */
export const availabilitySchema = slotSettingsSchema.extend({
  id: idSchema,
  calendar_id: idSchema,
  day_of_week: weekdaySchema,
  start_time: clockSchema,
  end_time: clockSchema,
})
export type Availability = z.infer<typeof availabilitySchema>

/** A type as the slot rules see it: they decide by its length. */
const typeLength = z.object({ id: idSchema, name: z.string(), duration: z.number().int() })

/** The week, Monday first, each day in order of start. */
export const availabilityResponse = slotSettingsSchema.extend({
  availability: z.array(availabilitySchema),
  appointment_types: z.array(typeLength),
})
export type AvailabilityResponse = z.infer<typeof availabilityResponse>

/** A new range of a weekday (rule T25). */
export const availabilityBody = z
  .object({
    day_of_week: weekdaySchema,
    start_time: wallClock('Please choose a start time.'),
    end_time: wallClock('Please choose an end time.'),
  })
  .refine(({ start_time, end_time }) => start_time < end_time, {
    path: ['end_time'],
    message: 'availability.start_after_end',
  })
export type AvailabilityBody = z.input<typeof availabilityBody>

/** The ranges of one weekday replace those of other weekdays. */
export const copyAvailabilityBody = z
  .object({
    from_day: weekdaySchema,
    to_days: z.array(weekdaySchema).min(1, 'Please choose at least one day.').max(6),
  })
  .refine(({ from_day, to_days }) => !to_days.includes(from_day), {
    path: ['to_days'],
    message: 'Please choose other days than the one that is copied.',
  })
export type CopyAvailabilityBody = z.infer<typeof copyAvailabilityBody>

/** Seven days from `from`, or from today in the calendar's zone. */
export const previewQuery = z.object({
  from: dateSchema.optional(),
  appointment_type_id: idSchema.optional(),
})

/** The times that customers are offered in seven days, in the calendar's zone. */
export const previewResponse = z.object({
  time_zone: z.string(),
  days: z.array(z.object({ date: dateSchema, slots: z.array(slotSchema) })),
})
export type PreviewResponse = z.infer<typeof previewResponse>
