import { type Insertable, sql } from 'kysely'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
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
  const found =
    customer.email === null
      ? await findWithoutAddress(trx, customer)
      : await findByAddress(trx, customer.calendarId, customer.email)
  if (found !== null) return found
  await insertRow(trx, {
    calendar_id: customer.calendarId,
    id: customer.id,
    client_id: customer.clientId,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
  })
  return { id: customer.id }
}

const insertRow = prepareQuery((db, row: Insertable<Schema['customers']>) =>
  db.insertInto('customers').values(row),
)

async function findByAddress(trx: Trx, calendarId: string, email: string): Promise<{ id: string } | null> {
  const [row] = await listByAddress(trx, { calendarId, email })
  return row ?? null
}

const listByAddress = prepareQuery((db, { calendarId, email }: { calendarId: string; email: string }) =>
  db
    .selectFrom('customers')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(email)) = lower(btrim(${email}))`),
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
