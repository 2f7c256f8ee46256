/** What a reminder of one appointment depends on. Instants are in milliseconds since the epoch. */
export type RemindedAppointment = {
  readonly status: 'confirmed' | 'cancelled' | 'pending_cancellation' | 'pending_payment'
  readonly startsAtMs: number
  /** When its present time was agreed: booked, or moved there. */
  readonly agreedAtMs: number
  readonly hasAddress: boolean
}

/** `hours`: elapsed hours before the start, whatever the clocks do meanwhile. Source: rule M14. */
export type ReminderRule = { readonly enabled: boolean; readonly hours: number }

export type ReminderDecision =
  | { readonly kind: 'planned'; readonly dueMs: number }
  | {
      readonly kind: 'none'
      readonly reason: 'off' | 'not_standing' | 'no_address' | 'started' | 'booked_late'
    }

const HOUR_MS = 3_600_000

/**
 * When a reminder is due, or why there is none. It can be due in the past: a worker that was down is late, and still
 * sends while the start is ahead. A reminder is sent once for each start; the ledger knows which were sent. The sweep
 * asks the database the same question (`reminder-repository.ts`). Source: rule M14.
 */
export function decideReminder(
  appointment: RemindedAppointment,
  { enabled, hours }: ReminderRule,
  nowMs: number,
): ReminderDecision {
  const { status, startsAtMs, agreedAtMs, hasAddress } = appointment
  const dueMs = startsAtMs - hours * HOUR_MS
  if (!enabled) return { kind: 'none', reason: 'off' }
  // A request to cancel changes nothing until it is decided. Source: rule M16.
  if (status !== 'confirmed' && status !== 'pending_cancellation')
    return { kind: 'none', reason: 'not_standing' }
  if (!hasAddress) return { kind: 'none', reason: 'no_address' }
  if (startsAtMs <= nowMs) return { kind: 'none', reason: 'started' }
  // The confirmation, or the message about the move, has just said the same. Source: rule M16.
  if (agreedAtMs >= dueMs) return { kind: 'none', reason: 'booked_late' }
  return { kind: 'planned', dueMs }
}
