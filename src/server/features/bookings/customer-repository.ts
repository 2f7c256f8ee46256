import { type Insertable, sql } from 'kysely'
import { prepareQuery, prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type BookingCustomer = {
  readonly calendarId: string
  /** For a customer who is new. */
  readonly id: string
  readonly clientId: string
  readonly name: string
  /** Null only when the owner books for somebody who gave none. */
  readonly email: string | null
  readonly phone: string | null
}

/**
 * The customer of a booking, made when there is none yet. An existing record is left as it is: a booking never changes
 * what the owner knows.
 */
export async function findOrInsertCustomer(trx: Trx, customer: BookingCustomer): Promise<{ id: string }> {
  const { calendarId, id, clientId, name, email, phone } = customer
  if (email !== null) {
    const [row] = await findOrInsertByAddress(trx, [calendarId, email, id, clientId, name, phone])
    if (row === undefined) throw new Error('one who is not found is made')
    return row
  }
  const found = await findWithoutAddress(trx, customer)
  if (found !== null) return found
  await insertRow(trx, { calendar_id: calendarId, id, client_id: clientId, name, email, phone })
  return { id }
}

/** Under the calendar's lock: nobody else makes the same customer meanwhile. */
const findOrInsertByAddress = prepareStatement<{ id: string }>(
  'find-or-insert-customer',
  `with found as (
    select id from customers where calendar_id = $1::uuid and lower(btrim(email)) = lower(btrim($2::text))
  ), made as (
    insert into customers (calendar_id, id, client_id, name, email, phone)
    select $1::uuid, $3::uuid, $4::text, $5::text, $2::text, $6::text where not exists (select from found)
    returning id
  )
  select id from found union all select id from made`,
)

const insertRow = prepareQuery((db, row: Insertable<Schema['customers']>) =>
  db.insertInto('customers').values(row),
)

/** Who has no address is known by name and phone number, however the two are written. */
async function findWithoutAddress(
  trx: Trx,
  { calendarId, name, phone }: Pick<BookingCustomer, 'calendarId' | 'name' | 'phone'>,
): Promise<{ id: string } | null> {
  const row = await trx
    .selectFrom('customers')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where('email', 'is', null)
    .where(sql<boolean>`lower(btrim(name)) = lower(btrim(${name}))`)
    .where(
      sql<boolean>`regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g') = ${(phone ?? '').replace(/[^0-9]/g, '')}`,
    )
    // The one who was first, if an import should ever bring two.
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
