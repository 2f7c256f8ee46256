import { RECIPIENT_OF_MESSAGE_KIND } from '#contract/messages/messages.ts'
import { decideReminder, type ReminderDecision, type ReminderRule } from '#core/messages/decide-reminder.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { MessageDropReason } from '#server/platform/db/schema.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { MESSAGE_KINDS } from './message-kinds.ts'
import type { StoredMessage } from './repository.ts'
import { codeExpiresAtMs } from './to-customer-code.ts'

export type DropCheckDetails = Appointment

type Asked = Pick<StoredMessage, 'kind' | 'occasion' | 'sequence' | 'repeat' | 'late_minutes' | 'changed_at'>

/**
 * Returns why a message must not be sent now; null when it is still true and wanted, and has an address. When the owner
 * resends a message, it counts as wanted, whatever the notification settings say. Source: rules M3 and M6.
 */
export function findDropReason(
  details: DropCheckDetails,
  message: Asked,
  reminders: ReminderRule,
  nowMs: number,
): MessageDropReason | null {
  if (message.kind === 'reminder') return findReminderDropReason(details, message, reminders, nowMs)
  const { isTrue, wanted } = MESSAGE_KINDS[message.kind]
  // The message is outdated, because a later revision of the appointment has its own messages.
  if (details.sequence !== message.sequence || !isTrue(details.status)) return 'outdated'
  if (RECIPIENT_OF_MESSAGE_KIND[message.kind] === 'owner') {
    const isWanted = wanted === undefined || details[wanted] === true || message.repeat > 0
    return isWanted ? null : 'unwanted'
  }
  if (details.customer_email === null) return 'no_address'
  return lastMomentOf(details, message) > nowMs ? null : 'past'
}

/**
 * Returns the latest useful time for sending a message to a customer: the end of the appointment; for a delay, the
 * delayed start; for a code, its expiry. Source: rules Y6 and R8.
 */
function lastMomentOf(
  { starts_at, ends_at }: DropCheckDetails,
  { kind, late_minutes: lateMinutes, changed_at: changedAt }: Asked,
): number {
  if (kind === 'customer_code') return codeExpiresAtMs(changedAt.getTime())
  return lateMinutes === null ? ends_at.getTime() : starts_at.getTime() + lateMinutes * MINUTE_MS
}

/** Decides when the reminder of this appointment is due, or why there is none. */
export function decideAppointmentReminder(
  details: DropCheckDetails,
  rule: ReminderRule,
  nowMs: number,
): ReminderDecision {
  const appointment = {
    status: details.status,
    startsAtMs: details.starts_at.getTime(),
    agreedAtMs: (details.moved_at ?? details.created_at).getTime(),
    hasAddress: details.customer_email !== null,
  }
  return decideReminder(appointment, rule, nowMs)
}

const NO_REMINDER = {
  off: 'unwanted',
  not_standing: 'outdated',
  no_address: 'no_address',
  started: 'past',
  booked_late: 'outdated',
} as const satisfies Record<Extract<ReminderDecision, { kind: 'none' }>['reason'], MessageDropReason>

function findReminderDropReason(
  details: DropCheckDetails,
  { occasion, repeat }: Asked,
  rule: ReminderRule,
  nowMs: number,
): MessageDropReason | null {
  if (occasion !== details.starts_at.toISOString()) return 'outdated'
  const isAskedFor = repeat > 0
  const decision = decideAppointmentReminder(details, isAskedFor ? { ...rule, enabled: true } : rule, nowMs)
  if (decision.kind === 'none') {
    return isAskedFor && decision.reason === 'booked_late' ? null : NO_REMINDER[decision.reason]
  }
  // If the reminder hours were changed after the reminder was queued, drop it now; it is sent when it is due.
  return decision.dueMs <= nowMs || isAskedFor ? null : 'too_early'
}
