import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema, toAsciiEmailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { multilineTextSchema, singleLineSchema } from '#contract/shared/primitives.ts'

/** A calendar's reminder settings, with defaults for settings that the owner has not changed. Source: rule M17. */
export const reminderSettingsSchema = componentSchema('ReminderSettings', {
  enabled: z.boolean(),
  /** Number of hours before the appointment at which the reminder is sent. Source: rule M14. */
  hours: z.number().int(),
  template: z.string(),
  sender_name: z.string(),
  /** The reply-to address, or Meridian's own address, which is the default. Source: rule M18. */
  sender_email: z.string(),
  subject: z.string(),
})
export type ReminderSettings = z.infer<typeof reminderSettingsSchema>

const HOURS = 'reminder.hours_out_of_range'

/** New reminder settings. An empty string means the default. Source: rule M17. */
export const reminderSettingsBody = z.object({
  enabled: z.boolean(),
  hours: z.number(HOURS).int(HOURS).min(LIMITS.reminderHoursMin, HOURS).max(LIMITS.reminderHoursMax, HOURS),
  template: multilineTextSchema(LIMITS.reminderTemplate),
  sender_name: singleLineSchema(LIMITS.personName),
  /** The server checks the format instead, because Meridian's own address may be at `localhost`. */
  sender_email: singleLineSchema(LIMITS.email).overwrite(toAsciiEmailAddress),
  subject: singleLineSchema(LIMITS.reminderSubject),
})

/** A request for a preview of an unsaved template. An empty string means the default. */
export const reminderPreviewQuery = z.object({
  template: multilineTextSchema(LIMITS.reminderTemplate).default(''),
})

/** True when the text is a valid email address that customers can reply to. */
export function isReplyableEmailAddress(text: string): boolean {
  return emailAddressSchema.safeParse(text).success
}
