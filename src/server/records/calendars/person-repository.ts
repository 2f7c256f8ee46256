import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** A person whose time is booked. The owner, as a person, has the id of the account. Source: rule T38. */
export type Person = { readonly id: string; readonly name: string; readonly isOwner: boolean }

/** A calendar whose bookings occupy a person's time. */
export type CalendarOfPerson = { readonly id: string; readonly name: string }

/**
 * SQL that locks a person's time until the transaction ends (an advisory lock). The argument is SQL for the person's
 * id.
 */
export function lockPersonSql(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended((${id})::text, 1))`
}

/**
 * Locks the time of several people, always in the same order. The caller has already locked the calendar and the
 * location. Source: rule T20.
 */
export async function lockPeople(trx: Trx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) {
    await sql`select ${sql.raw(lockPersonSql('person.id'))} from (values (${id}::uuid)) as person (id)`.execute(
      trx,
    )
  }
}

/** Lists the people of an account, the owner first. */
export async function listPeople(db: Db, ownerId: OwnerId): Promise<Person[]> {
  const rows = await db
    .selectFrom('hosts')
    .select(['id', 'name'])
    .where('user_id', '=', ownerId)
    .orderBy((eb) => eb('id', '<>', ownerId))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name }) => ({ id, name, isOwner: id === ownerId }))
}

/** Lists the calendars of an account with the person of each, ordered by name. */
export async function listCalendarsByPerson(
  db: Db,
  ownerId: OwnerId,
): Promise<(CalendarOfPerson & { readonly host_id: string })[]> {
  return db
    .selectFrom('calendars')
    .select(['id', 'name', 'host_id'])
    .where('user_id', '=', ownerId)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()
}

export async function insertPerson(
  trx: Trx,
  ownerId: OwnerId,
  person: { readonly id: string; readonly name: string; readonly createdAt: Date },
): Promise<void> {
  await trx
    .insertInto('hosts')
    .values({ user_id: ownerId, id: person.id, name: person.name, created_at: person.createdAt })
    .execute()
}

/** Assigns a locked calendar to another person of the same account. */
export async function updatePersonOfCalendar(
  trx: Trx,
  calendarId: string,
  { personId, updatedAt }: { readonly personId: string; readonly updatedAt: Date },
): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({ host_id: personId, updated_at: updatedAt })
    .where('id', '=', calendarId)
    .execute()
}

/**
 * Records that the owner has dismissed the list of overlaps. It contains the appointments that already overlapped when
 * the product began to prevent overlaps of one person's appointments.
 */
export async function markOverlapsDismissed(db: Db, ownerId: OwnerId, seenAt: Date): Promise<void> {
  await db.updateTable('hosts').set({ overlaps_seen_at: seenAt }).where('user_id', '=', ownerId).execute()
}

/** Deletes people who have no calendar left, except the owner. The account is locked. */
export async function deletePeopleWithoutCalendar(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx
    .deleteFrom('hosts')
    .where('user_id', '=', ownerId)
    .where('id', '<>', ownerId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('calendars').select('id').whereRef('calendars.host_id', '=', 'hosts.id'))),
    )
    .execute()
}
