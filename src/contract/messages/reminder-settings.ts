import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { emailAddress, toAsciiAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { line, paragraph } from '#contract/shared/primitives.ts'

/** A calendar's reminder settings, with defaults for settings that the owner has not changed. Source: rule M17. */
export const reminderSettingsSchema = component('ReminderSettings', {
  enabled: z.boolean(),
  /** How many hours before the appointment the reminder is sent. Source: rule M14. */
  hours: z.number().int(),
  template: z.string(),
  sender_name: z.string(),
  /** The reply-to address, or the product's own address, which is the default. Source: rule M18. */
  sender_email: z.string(),
  subject: z.string(),
})
export type ReminderSettings = z.infer<typeof reminderSettingsSchema>

const HOURS = 'reminder.hours_out_of_range'

/** New reminder settings. An empty string means the default. Source: rule M17. */
export const reminderSettingsBody = z.object({
  enabled: z.boolean(),
  hours: z.number(HOURS).int(HOURS).min(LIMITS.reminderHoursMin, HOURS).max(LIMITS.reminderHoursMax, HOURS),
  template: paragraph(LIMITS.reminderTemplate),
  sender_name: line(LIMITS.personName),
  /** The server checks the format instead, because the product's own address may be at `localhost`. */
  sender_email: line(LIMITS.email).overwrite(toAsciiAddress),
  subject: line(LIMITS.reminderSubject),
})

/** A request for a preview of an unsaved template. An empty string means the default. */
export const reminderPreviewQuery = z.object({ template: paragraph(LIMITS.reminderTemplate).default('') })

/** True when the text is a valid email address that customers can reply to. */
export function isSenderEmail(text: string): boolean {
  return emailAddress.safeParse(text).success
}
