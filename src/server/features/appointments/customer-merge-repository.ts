import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CustomerKey } from './customer-record-repository.ts'

/** What the owner wrote about a customer. */
export async function findNotes(db: Db, key: CustomerKey): Promise<string | null> {
  const row = await db
    .selectFrom('customers')
    .select('notes')
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.customerId)
    .executeTakeFirst()
  return row?.notes ?? null
}

export async function storeNotes(trx: Trx, key: CustomerKey, notes: string | null): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ notes })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.customerId)
    .execute()
}

type Merge = {
  readonly calendarId: string
  /** The record that stays, and the one that is put into it. Both are locked. */
  readonly keptId: string
  readonly goneId: string
  /** What the kept record has afterwards. */
  readonly kept: {
    readonly email: string | null
    readonly phone: string | null
    readonly notes: string | null
  }
  /** Emails to the record that goes went to another address, so the links in them end. Source: rule D11. */
  readonly endsLinks: boolean
}

/**
 * Gives the appointments of one customer to another, with their holds, messages and payments, which belong to the appointments.
 * Then the empty record is deleted. Events in an external calendar are written again. Source: rule D11.
 */
export async function mergeRecords(
  trx: Trx,
  { calendarId, keptId, goneId, kept, endsLinks }: Merge,
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set(({ eb }) => ({
      customer_id: keptId,
      ...(endsLinks && { link_rotation: eb('link_rotation', '+', 1) }),
      needs_google_sync: sql<boolean>`needs_google_sync or exists (
        select from appointment_events as written
        where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
      )`,
    }))
    .where('calendar_id', '=', calendarId)
    .where('customer_id', '=', goneId)
    .execute()
  // Before the kept record takes its address, which only one record may have.
  await trx.deleteFrom('customers').where('calendar_id', '=', calendarId).where('id', '=', goneId).execute()
  await trx
    .updateTable('customers')
    .set(kept)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', keptId)
    .execute()
}
