import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CustomerKey, CustomerRecord } from './customer-record-repository.ts'
import { NEEDS_EVENT_RENAME_SQL, NEEDS_EVENT_WRITE_SQL } from './outbox-repository.ts'

/** Returns the owner's notes about a customer. */
export async function findCustomerNotes(db: Db, key: CustomerKey): Promise<string | null> {
  const row = await db
    .selectFrom('customers')
    .select('notes')
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.customerId)
    .executeTakeFirst()
  return row?.notes ?? null
}

export async function storeCustomerNotes(trx: Trx, key: CustomerKey, notes: string | null): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ notes })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.customerId)
    .execute()
}

/**
 * SQL for the next link version, which invalidates an appointment's existing links. 0 means that the link was never
 * replaced, so the highest number is followed by 1. Source: rule R2.
 */
const NEXT_ROTATION = sql<number>`link_rotation % 65535 + 1`

/**
 * True when another customer of the calendar has this email address, ignoring case and surrounding spaces. Source: rule
 * B13.
 */
export async function isEmailTaken(
  trx: Trx,
  { calendarId, customerId }: CustomerKey,
  email: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(email)) = lower(btrim(${email}))`)
    .where('id', '<>', customerId)
    .executeTakeFirst()
  return row !== undefined
}

type Identity = Pick<CustomerRecord, 'name' | 'email' | 'phone'>

export type CustomerCorrection = {
  readonly before: Identity
  readonly after: Identity
  readonly at: Date
  /** True when earlier emails went to another address; the links in those emails then stop working. */
  readonly endsLinks: boolean
}

/**
 * Updates a customer's name, email and phone. Future appointments that carry the old name or phone number get the new
 * values, and their calendar events are rewritten. Source: rule D13.
 * @returns the future appointments, the nearest first
 */
export async function correctCustomerRecord(
  trx: Trx,
  { calendarId, customerId }: CustomerKey,
  { before, after, at, endsLinks }: CustomerCorrection,
): Promise<{ readonly id: string; readonly sequence: number }[]> {
  await trx
    .updateTable('customers')
    .set({ name: after.name, email: after.email, phone: after.phone })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', customerId)
    .execute()
  if (endsLinks) {
    await trx
      .updateTable('appointments')
      .set({ link_rotation: NEXT_ROTATION })
      .where('calendar_id', '=', calendarId)
      .where('customer_id', '=', customerId)
      .execute()
  }
  const rows = await trx
    .updateTable('appointments')
    .set({
      customer_name: sql<string>`case when customer_name = ${before.name} then ${after.name} else customer_name end`,
      customer_phone: sql<string | null>`case
        when customer_phone is not distinct from ${before.phone}::text then ${after.phone}::text else customer_phone end`,
      needs_google_sync: NEEDS_EVENT_WRITE_SQL,
      updated_at: at,
    })
    .where('calendar_id', '=', calendarId)
    .where('customer_id', '=', customerId)
    .where(isFutureAppointment(at))
    .returning(['id', 'sequence', 'starts_at'])
    .execute()
  return rows.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
}

type Merge = {
  readonly calendarId: string
  /** The record that remains; the other record is merged into it. Both are locked. */
  readonly keptId: string
  readonly goneId: string
  /** Contact details and notes of the kept record after the merge. */
  readonly kept: {
    readonly email: string | null
    readonly phone: string | null
    readonly notes: string | null
  }
  /**
   * True when the merged-away record had a different email address; its old links then stop working. Source: rule D11.
   */
  readonly endsLinks: boolean
  readonly at: Date
}

/**
 * Moves all appointments of one customer to another, with their holds, messages and payments, then deletes the empty
 * record. The appointments' calendar events and their entries in the calendar feed are rewritten, including those of
 * the kept customer, whose email address or phone number may have changed. Source: rule D11.
 */
export async function mergeCustomerRecords(
  trx: Trx,
  { calendarId, keptId, goneId, kept, endsLinks, at }: Merge,
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({
      customer_id: keptId,
      ...(endsLinks && { link_rotation: NEXT_ROTATION }),
    })
    .where('calendar_id', '=', calendarId)
    .where('customer_id', '=', goneId)
    .execute()
  // Delete the other record first: the kept record may take over its email address, which must be unique.
  await trx.deleteFrom('customers').where('calendar_id', '=', calendarId).where('id', '=', goneId).execute()
  await trx
    .updateTable('customers')
    .set(kept)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', keptId)
    .execute()
  await trx
    .updateTable('appointments')
    .set({ needs_google_sync: NEEDS_EVENT_RENAME_SQL, updated_at: at })
    .where('calendar_id', '=', calendarId)
    .where('customer_id', '=', keptId)
    .execute()
}
