/** The facts that decide an appointment's reminder. Times are epoch milliseconds. */
export type RemindedAppointment = {
  readonly status: 'confirmed' | 'cancelled' | 'pending_cancellation' | 'pending_payment'
  readonly startsAtMs: number
  /** When the appointment's start was agreed: when it was booked or last moved. */
  readonly agreedAtMs: number
  readonly hasAddress: boolean
}

/** `hours`: elapsed hours before the start, even when the clocks change. Source: rule M14. */
export type ReminderRule = { readonly enabled: boolean; readonly hours: number }

export type ReminderDecision =
  | { readonly kind: 'planned'; readonly dueMs: number }
  | {
      readonly kind: 'none'
      readonly reason: 'off' | 'not_standing' | 'no_address' | 'started' | 'booked_late'
    }

const HOUR_MS = 3_600_000

/**
 * Returns when a reminder is due, or why there is none. It can be due in the past: a worker that was down sends late
 * reminders as long as the appointment is ahead. Each start gets one reminder, recorded in the message ledger. The
 * sweep uses the same condition in SQL (`due-repository.ts`). Source: rule M14.
 */
export function decideReminder(
  appointment: RemindedAppointment,
  { enabled, hours }: ReminderRule,
  nowMs: number,
): ReminderDecision {
  const { status, startsAtMs, agreedAtMs, hasAddress } = appointment
  const dueMs = startsAtMs - hours * HOUR_MS
  if (!enabled) return { kind: 'none', reason: 'off' }
  // An open cancellation request does not stop the reminder. Source: rule M16.
  if (status !== 'confirmed' && status !== 'pending_cancellation')
    return { kind: 'none', reason: 'not_standing' }
  if (!hasAddress) return { kind: 'none', reason: 'no_address' }
  if (startsAtMs <= nowMs) return { kind: 'none', reason: 'started' }
  // The confirmation or the move message has just told the customer the time. Source: rule M16.
  if (agreedAtMs >= dueMs) return { kind: 'none', reason: 'booked_late' }
  return { kind: 'planned', dueMs }
}
