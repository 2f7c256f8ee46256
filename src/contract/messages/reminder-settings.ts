import { z } from 'zod'
import { emailAddress, toAsciiAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { line, paragraph } from '#contract/shared/primitives.ts'

/** The reminders of a calendar, complete: what the owner has not set has its default. Source: rule M17. */
export const reminderSettingsSchema = z.object({
  enabled: z.boolean(),
  /** How long before the appointment. Source: rule M14. */
  hours: z.number().int(),
  template: z.string(),
  sender_name: z.string(),
  /** Where replies go, unless it is the product's own address, as it is until the owner names one. Source: rule M18. */
  sender_email: z.string(),
  subject: z.string(),
})
export type ReminderSettings = z.infer<typeof reminderSettingsSchema>

const HOURS = 'reminder.hours_out_of_range'

/** The settings in a request. An empty text stands for its default. Source: rule M17. */
export const reminderSettingsBody = z.object({
  enabled: z.boolean(),
  hours: z.number(HOURS).int(HOURS).min(LIMITS.reminderHoursMin, HOURS).max(LIMITS.reminderHoursMax, HOURS),
  template: paragraph(LIMITS.reminderTemplate),
  sender_name: line(LIMITS.personName),
  /** The server checks the format, because the product's own address may be at `localhost`. */
  sender_email: line(LIMITS.email).overwrite(toAsciiAddress),
  subject: line(LIMITS.reminderSubject),
})

/** The texts while the owner writes them. An empty text stands for the default. */
export const reminderPreviewQuery = z.object({ template: paragraph(LIMITS.reminderTemplate).default('') })

/** Says whether customers could reply to it. */
export function isSenderEmail(text: string): boolean {
  return emailAddress.safeParse(text).success
}
