import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type NewRegistration = {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly passwordHash: string
  readonly createdAt: Date
}

export type Registration = Pick<NewRegistration, 'id' | 'email' | 'fullName' | 'passwordHash'> & {
  /**
   * Orders the registrations of one email address: a later registration has a higher number. The ids decide the order
   * of concurrent ones.
   */
  readonly number: number
}

const COLUMNS = ['id', 'number', 'email', 'full_name as fullName', 'password as passwordHash'] as const

export async function insertRegistration(trx: Trx, registration: NewRegistration): Promise<void> {
  await trx
    .insertInto('registrations')
    .values(({ selectFrom, fn, val }) => ({
      id: registration.id,
      number: selectFrom('registrations')
        .select(({ eb }) => eb(fn.coalesce(fn.max('number'), val(0)), '+', 1).as('number'))
        .where('email', '=', registration.email),
      email: registration.email,
      full_name: registration.fullName,
      password: registration.passwordHash,
      created_at: registration.createdAt,
    }))
    .execute()
}

/** Returns the email address of a registration. Null when the registration no longer exists. */
export async function findRegistrationEmail(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('registrations').select('email').where('id', '=', id).executeTakeFirst()
  return row?.email ?? null
}

/** Locks a registration until the transaction ends. Returns null when it no longer exists. */
export async function lockRegistration(trx: Trx, id: string): Promise<Registration | null> {
  return (
    (await trx
      .selectFrom('registrations')
      .select(COLUMNS)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

/** Deletes the earlier registrations of an email address, which invalidates their links. Source: rule U3. */
export async function deleteEarlierRegistrations(
  trx: Trx,
  { id, email, number }: Pick<Registration, 'id' | 'email' | 'number'>,
): Promise<void> {
  await trx
    .deleteFrom('registrations')
    .where('email', '=', email)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('number', 'id'), '<', tuple(number, id)))
    .execute()
}

/** Deletes and returns a registration, so that it is confirmed only once. Null when it no longer exists. */
export async function consumeRegistration(trx: Trx, id: string): Promise<Registration | null> {
  return (
    (await trx.deleteFrom('registrations').where('id', '=', id).returning(COLUMNS).executeTakeFirst()) ?? null
  )
}

/** True when an email address has a registration or an account. */
export async function isAddressRegistered(db: Db, email: string): Promise<boolean> {
  const rows = await db
    .selectFrom('registrations')
    .select('id')
    .where('email', '=', email)
    .unionAll(db.selectFrom('profiles').select('id').where('email', '=', email))
    .limit(1)
    .execute()
  return rows.length > 0
}

/** True when the registration with this id and email address has become an account. */
export async function isRegistrationConfirmed(
  db: Db,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', id)
    .where('email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the full name of the account with this email address (in lower case). Null when there is none. */
export async function findAccountName(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('profiles')
    .select('full_name')
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.full_name ?? null
}

/**
 * Deletes the registrations of an account's email address before the account is deleted, so that their links stop
 * working.
 */
export async function deleteRegistrationsOfOwner(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx
    .deleteFrom('registrations')
    .where('email', 'in', (from) => from.selectFrom('profiles').select('email').where('id', '=', ownerId))
    .execute()
}
