import type { z } from 'zod'
import type { Calendar, calendarChanges } from '#contract/calendars/calendars.ts'
import { isReplyableEmailAddress } from '#contract/messages/reminder-settings.ts'
import { toEmbedSites } from '#core/calendars/embed-site.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { announceFreedTime } from '#server/records/freed-times/use-cases.ts'
import { type EditableCalendarColumns, updateCalendarRow } from './repository.ts'
import { toStoredReminders } from './to-reminder-settings.ts'
import { toStoredTimeZone } from './to-stored-time-zone.ts'
import { type CalendarsDeps, getCalendarSettings, lockOwnCalendar } from './use-cases.ts'

type Changes = z.output<typeof calendarChanges>

/**
 * Changes the given fields of a calendar. When the zone changes, appointments keep their instants, and the weekly hours
 * are read in the new zone from then on. Bookings wait until the transaction ends. Source: rules C7 and T24.
 * @throws ProblemError `calendar.*`, `auth.invalid_email`, `request.changed_meanwhile`
 */
export async function changeCalendar(
  deps: CalendarsDeps,
  ownerId: OwnerId,
  id: string,
  changes: Changes,
): Promise<Calendar> {
  return inTransaction(deps.db, (trx) => changeCalendarWithin(deps, trx, ownerId, id, changes))
}

/**
 * Like `changeCalendar`, in the caller's transaction.
 * @throws ProblemError `calendar.*`, `auth.invalid_email`, `request.changed_meanwhile`
 */
export async function changeCalendarWithin(
  deps: CalendarsDeps,
  trx: Trx,
  ownerId: OwnerId,
  id: string,
  { was, ...changes }: Changes,
): Promise<Calendar> {
  const timezone = changes.timezone === undefined ? undefined : toStoredTimeZone(changes.timezone)
  const inside = { ...deps, db: trx }
  await lockOwnCalendar(trx, ownerId, id)
  const before = await getCalendarSettings(inside, ownerId, id)
  refuseStaleChange({ ...before, ...shownReminders(before, was) }, was)
  const columns = {
    ...toColumns({ ...changes, timezone }),
    ...toReminderColumn(before, changes.reminder_settings, deps.mailFrom),
  }
  if (Object.keys(columns).length === 0) return before
  await updateCalendarRow(trx, ownerId, id, { ...columns, updated_at: new Date(deps.now()) })
  if (timezone !== undefined || changes.takes_bookings === true) await announceFreedTime(deps, trx, id)
  if (timezone !== undefined && timezone !== before.timezone) {
    await deps.readInNewZone(trx, { ownerId, calendarId: id })
  }
  return getCalendarSettings(inside, ownerId, id)
}

/** Selects the reminder fields that the form showed, because only those are compared. */
function shownReminders({ reminder_settings }: Calendar, was: Changes['was']) {
  const shown = was?.reminder_settings
  if (shown === undefined) return {}
  const entries = Object.entries(reminder_settings).filter(([field]) => Object.hasOwn(shown, field))
  return { reminder_settings: Object.fromEntries(entries) }
}

/**
 * Returns the plain columns that change. An empty text is stored as null. The booking link never changes. Source: rule
 * C7.
 */
function toColumns(changes: Omit<Changes, 'was' | 'reminder_settings'>): EditableCalendarColumns {
  const texts = {
    description: changes.description,
    default_appointment_title: changes.default_appointment_title,
    professional_first_name: changes.professional_first_name,
    professional_last_name: changes.professional_last_name,
    category: changes.category,
  }
  const given = Object.entries(texts).filter(([, text]) => text !== undefined)
  return {
    ...Object.fromEntries(given.map(([column, text]) => [column, text || null])),
    ...omitUndefined({
      name: changes.name,
      color: changes.color,
      appointment_title_required: changes.appointment_title_required,
      timezone: changes.timezone,
      hour_cycle: changes.hour_cycle,
      email_confirmation_required: changes.email_confirmation_required,
      takes_bookings: changes.takes_bookings,
      policy: changes.policy === undefined ? undefined : JSON.stringify(changes.policy),
      embed_sites: changes.embed_sites && toEmbedSites(changes.embed_sites),
    }),
  }
}

function toReminderColumn(
  before: Calendar,
  changes: Changes['reminder_settings'],
  mailFrom: string,
): EditableCalendarColumns {
  if (changes === undefined || Object.keys(changes).length === 0) return {}
  const { sender_email = '' } = changes
  // Accept the product's own address without this check: it may be at `localhost`, which `isReplyableEmailAddress` refuses.
  if (sender_email !== '' && sender_email !== mailFrom && !isReplyableEmailAddress(sender_email)) {
    throw new ProblemError('auth.invalid_email', [
      { path: 'reminder_settings.sender_email', message: 'Please enter a valid email address' },
    ])
  }
  const settings = { ...before.reminder_settings, ...changes }
  const stored = toStoredReminders(settings, { calendarName: before.name, mailFrom })
  return { reminder_settings: JSON.stringify(stored) }
}
