import { z } from 'zod'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import {
  DEFAULT_REMINDER_HOURS,
  DEFAULT_REMINDER_SUBJECT,
  DEFAULT_REMINDER_TEMPLATE,
  LIMITS,
} from '#contract/shared/limits.ts'

/**
 * The content of the column `reminder_settings`: the fields that the owner has set. Missing or malformed fields count
 * as not set.
 */
const storedReminders = z.object({
  enabled: z.boolean().optional().catch(undefined),
  hours: z
    .number()
    .int()
    .min(LIMITS.reminderHoursMin)
    .max(LIMITS.reminderHoursMax)
    .optional()
    .catch(undefined),
  template: z.string().optional().catch(undefined),
  sender_name: z.string().optional().catch(undefined),
  sender_email: z.string().optional().catch(undefined),
  subject: z.string().optional().catch(undefined),
})

/** The values that the reminder defaults depend on. Source: rule M18. */
type ReminderOrigin = {
  readonly calendarName: string
  /** The product's own sender address. */
  readonly mailFrom: string
}

/** Returns the reminder settings of a calendar, with the default values filled in. Source: rule M17. */
export function toReminderSettings(
  stored: Record<string, unknown>,
  origin: ReminderOrigin,
): ReminderSettings {
  const set = storedReminders.parse(stored)
  const defaults = defaultReminders(origin)
  return {
    enabled: set.enabled ?? defaults.enabled,
    hours: set.hours ?? defaults.hours,
    template: set.template || defaults.template,
    sender_name: set.sender_name || defaults.sender_name,
    sender_email: set.sender_email || defaults.sender_email,
    subject: set.subject || defaults.subject,
  }
}

/**
 * Returns only the settings that differ from the default values, so that the other settings follow later changes of the
 * defaults. Source: rule M17.
 */
export function toStoredReminders(
  settings: Readonly<Record<keyof ReminderSettings, unknown>>,
  origin: ReminderOrigin,
): Record<string, unknown> {
  const defaults: Record<string, unknown> = defaultReminders(origin)
  const own = Object.entries(settings).filter(([field, value]) => value !== '' && value !== defaults[field])
  return Object.fromEntries(own)
}

function defaultReminders({ calendarName, mailFrom }: ReminderOrigin): ReminderSettings {
  return {
    enabled: true,
    hours: DEFAULT_REMINDER_HOURS,
    template: DEFAULT_REMINDER_TEMPLATE,
    sender_name: calendarName,
    sender_email: mailFrom,
    subject: DEFAULT_REMINDER_SUBJECT,
  }
}
