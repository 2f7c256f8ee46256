import type { z } from 'zod'
import type { appointmentHistoryResponse } from '#contract/appointments/history.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import {
  describeHistoryEntry,
  type HistoryDetails,
  type HistoryKind,
  type HistoryTime,
} from './describe-history-entry.ts'
import {
  countHistoryEntries,
  type HistoryCause,
  insertHistoryEntries,
  listHistoryEntries,
} from './repository.ts'

/** Maximum number of entries in a response; more than anybody reads. */
const MAX_ENTRIES = 100

type NewEntry<Kind extends HistoryKind> = {
  readonly kind: Kind
  readonly causedBy: HistoryCause
  readonly details: HistoryDetails[Kind]
  readonly at: Date
}

/** Records an event in the history of an appointment, in the transaction that causes it. Source: rule G24. */
export async function recordHistory<Kind extends HistoryKind>(
  trx: Trx,
  key: AppointmentKey,
  entry: NewEntry<Kind>,
): Promise<void> {
  await recordHistoryForAppointments(trx, { calendarId: key.calendarId, ids: [key.id] }, entry)
}

/** Records the same entry for several appointments. */
export async function recordHistoryForAppointments<Kind extends HistoryKind>(
  trx: Trx,
  appointments: { readonly calendarId: string; readonly ids: readonly string[] },
  entry: NewEntry<Kind>,
): Promise<void> {
  await insertHistoryEntries(trx, appointments, entry)
}

/**
 * Counts how often the customer moved the appointment on their own initiative. Moves that were undone, or that followed
 * the owner's offer of other times, do not count. Source: rules A18, A23 and Q3.
 */
export async function countMovesByCustomer(db: Db, key: AppointmentKey): Promise<number> {
  const [moved, back] = [
    await countHistoryEntries(db, key, { kind: 'moved', causedBy: 'customer' }),
    await countHistoryEntries(db, key, { kind: 'moved_back', causedBy: 'customer' }),
  ]
  return moved - back
}

export function toHistoryTime({ startMs, endMs }: Interval): HistoryTime {
  return { starts_at: new Date(startMs).toISOString(), ends_at: new Date(endMs).toISOString() }
}

/**
 * Returns the history of an appointment as sentences for its owner, newest first.
 * @throws ProblemError `calendar.*`, `appointment.not_found`
 */
export async function getAppointmentHistory(
  deps: Pick<CalendarsDeps, 'db' | 'baseUrl'>,
  ownerId: OwnerId,
  key: AppointmentKey,
): Promise<z.infer<typeof appointmentHistoryResponse>> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const entries = await listHistoryEntries(deps.db, ownerId, key, MAX_ENTRIES)
  if (entries === null) throw new ProblemError('appointment.not_found')
  return {
    entries: entries.map((entry) => ({
      id: entry.id,
      at: entry.at.toISOString(),
      kind: entry.kind,
      caused_by: entry.causedBy,
      text: describeHistoryEntry(entry),
    })),
  }
}
