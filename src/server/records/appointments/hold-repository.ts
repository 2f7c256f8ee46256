import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { AppointmentKey } from './state-repository.ts'

/** Lists holds that expired by `now` and have not been released yet, the oldest first. */
export async function listExpiredHolds(db: Db, now: Date, limit: number): Promise<AppointmentKey[]> {
  const rows = await db
    .selectFrom('appointments')
    .select(['calendar_id', 'id'])
    .where('hold_expires_at', '<=', now)
    .where('released_at', 'is', null)
    .where('status', '=', 'pending_payment')
    .orderBy('hold_expires_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ calendarId: row.calendar_id, id: row.id }))
}

export async function updateHoldExpiry(trx: Trx, key: AppointmentKey, expiresAt: Date): Promise<void> {
  await updateAppointment(trx, key, { hold_expires_at: expiresAt })
}

/** Releases an expired hold: its time becomes free. The row stays in case a payment arrives late. Source: rule P9. */
export async function releaseHold(trx: Trx, key: AppointmentKey, releasedAt: Date): Promise<void> {
  await updateAppointment(trx, key, { released_at: releasedAt, updated_at: releasedAt })
}

async function updateAppointment(
  trx: Trx,
  { calendarId, id }: AppointmentKey,
  change: { hold_expires_at: Date } | { released_at: Date; updated_at: Date },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set(change)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}
