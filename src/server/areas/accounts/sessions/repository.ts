import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** The account data that a login is checked against. The email address may have an account, a registration, both or neither. */
export type LoginRow = {
  readonly userId: string | null
  readonly passwordHash: string | null
  /** The latest unconfirmed registration of the address. Source: rule U5. */
  readonly registrationId: string | null
  readonly registrationHash: string | null
}

/**
 * Loads all data about an email address in one statement, so that the timing does not reveal whether it has an account.
 * Source: rule U8.
 */
export async function findLogin(db: Db, email: string): Promise<LoginRow> {
  const { rows } = await sql<LoginRow>`
    select profiles.id as "userId", accounts.password as "passwordHash",
      registration.id as "registrationId", registration.password as "registrationHash"
    from (select) as nothing
    left join profiles on profiles.email = ${email}
    left join accounts on accounts.user_id = profiles.id and accounts.provider_id = 'credential'
    left join lateral (
      select id, password from registrations where email = ${email} order by number desc, id desc limit 1
    ) as registration on true`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a left join has a row')
  return row
}

/** Returns the id of the account with this email address. Null when there is none. */
export async function findUserId(db: Db, email: string): Promise<string | null> {
  const row = await db.selectFrom('profiles').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id ?? null
}
