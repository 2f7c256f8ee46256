import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { SLOT_INTERVALS_MINUTES, SLOT_RULE_LIMITS, type SlotRules } from '#core/slots/slot-rules.ts'
import { bookingLimitsSchema } from './booking-limits.ts'
import { bookingWindowSchema } from './booking-window.ts'

const { bufferMinutes, bufferStepMinutes, longestAppointmentMinutes, noticeMinutes } = SLOT_RULE_LIMITS

const slotSettings = {
  slot_duration_minutes: z.literal(SLOT_INTERVALS_MINUTES, 'Please choose 15, 30 or 60 minutes.'),
  buffer_time_minutes: z
    .number('Please choose a buffer from 0 to 60 minutes.')
    .min(0, 'Please choose a buffer from 0 to 60 minutes.')
    .max(bufferMinutes, 'Please choose a buffer from 0 to 60 minutes.')
    .multipleOf(bufferStepMinutes, 'Please choose a buffer in steps of 5 minutes.'),
  max_appointment_duration_minutes: z
    .number('Please enter whole minutes.')
    .int('Please enter whole minutes.')
    .min(Math.min(...SLOT_INTERVALS_MINUTES), 'availability.max_below_slot')
    .max(longestAppointmentMinutes, `Please use at most ${longestAppointmentMinutes} minutes.`),
  minimum_notice_minutes: z
    .number('Please choose a minimum notice.')
    .int('Please choose a minimum notice in whole minutes.')
    .min(0, 'Please choose a minimum notice of at most 30 days.')
    .max(noticeMinutes, 'Please choose a minimum notice of at most 30 days.'),
  /** How far ahead customers can book, unless their appointment type has its own window. Source: rule T67. */
  booking_window: bookingWindowSchema,
}

/** A calendar's "Time-slot settings" (rule T17). */
export const slotSettingsSchema = componentSchema('SlotSettings', slotSettings)
export type SlotSettings = z.infer<typeof slotSettingsSchema>

/** The slot settings and the limits of all appointments of a calendar. Source: rule T51. */
export const slotSettingsWithLimits = slotSettingsSchema
  .extend({ booking_limits: bookingLimitsSchema })
  .meta({ id: 'SlotSettingsWithLimits' })
export type SlotSettingsWithLimits = z.infer<typeof slotSettingsWithLimits>
/** The form's schema. It also checks that the maximum duration is not shorter than a slot. Source: rule T18. */
export const slotSettingsFormSchema = slotSettingsWithLimits.refine(
  (settings) => settings.max_appointment_duration_minutes >= settings.slot_duration_minutes,
  { path: ['max_appointment_duration_minutes'], message: 'availability.max_below_slot' },
)
export const slotSettingsChanges = partialUpdateSchema(slotSettingsWithLimits.shape).meta({
  id: 'SlotSettingsChanges',
})

/** The names of the slot settings, which are fields of the API and columns of `calendars`. */
export const SLOT_SETTING_NAMES = slotSettingsSchema.keyof().options

/** Converts the API's settings to the slot engine's rules. */
export function toSlotRules(settings: SlotSettings): SlotRules {
  return {
    slotMinutes: settings.slot_duration_minutes,
    bufferMinutes: settings.buffer_time_minutes,
    maxDurationMinutes: settings.max_appointment_duration_minutes,
    noticeMinutes: settings.minimum_notice_minutes,
    window: settings.booking_window,
  }
}

/** Converts the slot engine's rules to the settings of the API and the database. */
export function toSlotSettings(rules: SlotRules): SlotSettings {
  return {
    slot_duration_minutes: rules.slotMinutes,
    buffer_time_minutes: rules.bufferMinutes,
    max_appointment_duration_minutes: rules.maxDurationMinutes,
    minimum_notice_minutes: rules.noticeMinutes,
    booking_window: rules.window,
  }
}
