import type { z } from 'zod'
import type { Calendar } from '#contract/calendars/calendars.ts'
import {
  isReplyableEmailAddress,
  type ReminderSettings,
  reminderSettingsBody,
} from '#contract/messages/reminder-settings.ts'
import { DEFAULT_REMINDER_SUBJECT, DEFAULT_REMINDER_TEMPLATE } from '#contract/shared/limits.ts'

/** The form's schema. Also accepts Meridian's own sender address, whose domain may be `localhost`. */
export function buildReminderFormSchema(productEmail: string): z.ZodType<ReminderSettings, ReminderSettings> {
  return reminderSettingsBody.extend({
    sender_email: reminderSettingsBody.shape.sender_email.refine(
      (email) => email === '' || email === productEmail || isReplyableEmailAddress(email),
      'auth.invalid_email',
    ),
  })
}

export const REMINDER_FIELD_LABELS = {
  enabled: 'Send reminders',
  hours: 'Hours before the appointment',
  subject: 'Subject',
  template: 'Message',
  sender_name: 'Sender name',
  sender_email: 'Sender email',
} as const

/** Replaces empty text settings with their defaults. */
export function fillReminderDefaults(settings: ReminderSettings, calendar: Calendar): ReminderSettings {
  return {
    ...settings,
    template: settings.template.trim() || DEFAULT_REMINDER_TEMPLATE,
    subject: settings.subject.trim() || DEFAULT_REMINDER_SUBJECT,
    sender_name: settings.sender_name.trim() || calendar.name,
  }
}

/** Returns the reply address of reminders; null if replies go to the owner's own address. Source: rule M18. */
export function replyAddressOf(
  { sender_email }: ReminderSettings,
  { product_email }: Calendar,
): string | null {
  const named = sender_email.trim()
  return named === '' || named === product_email ? null : named
}
