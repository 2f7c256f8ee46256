import type { Updateable } from 'kysely'
import { sql } from 'kysely'
import { SETUP_STEPS, type SetupStep, type SetupStepState } from '#core/accounts/setup-steps.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type SetupRow = {
  readonly steps: Readonly<Record<SetupStep, SetupStepState>>
  readonly calendarId: string | null
  readonly dismissedAt: Date | null
}

/** Inserts the set-up of an account that is created in the same transaction. */
export async function insertSetup(trx: Trx, userId: string, createdAt: Date): Promise<void> {
  await trx.insertInto('setups').values({ user_id: userId, created_at: createdAt }).execute()
}

/** Returns the set-up of an account. Null when the account registered before the set-up existed. */
export async function findSetup(db: Db, ownerId: OwnerId): Promise<SetupRow | null> {
  const row = await db
    .selectFrom('setups')
    .select([...SETUP_STEPS, 'calendar_id', 'dismissed_at'])
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { calendar_id, dismissed_at, ...steps } = row
  return { steps, calendarId: calendar_id, dismissedAt: dismissed_at }
}

/** The columns that the owner's changes set. */
export type SetupColumns = Pick<Updateable<Schema['setups']>, SetupStep | 'calendar_id' | 'dismissed_at'>

/** Changes the given columns. The caller has locked the account. */
export async function updateSetup(trx: Trx, ownerId: OwnerId, columns: SetupColumns): Promise<void> {
  await trx.updateTable('setups').set(columns).where('user_id', '=', ownerId).execute()
}

/** Facts from outside the set-up that complete it. */
export type SetupFacts = {
  /** True when a calendar of the owner has an appointment, whatever became of it. Unpaid holds and tests do not count. */
  readonly hasBooking: boolean
  /** True when the owner has connected an external calendar. */
  readonly hasExternalCalendar: boolean
  /** True when the calendar has a location. */
  readonly hasLocation: boolean
  /** True when a country or region is chosen for the public holidays of the calendar. */
  readonly hasHolidays: boolean
}

export async function findSetupFacts(
  db: Db,
  ownerId: OwnerId,
  calendarId: string | null,
): Promise<SetupFacts> {
  const { rows } = await sql<SetupFacts>`
    select
      exists (
        select from calendars
        join appointments on appointments.calendar_id = calendars.id
        where calendars.user_id = ${ownerId} and not appointments.is_test
          and (appointments.status <> 'pending_payment' or appointments.hold_expires_at is null)
      ) as "hasBooking",
      exists (
        select from calendar_connections where user_id = ${ownerId} and state <> 'revoked'
      ) as "hasExternalCalendar",
      exists (select from calendar_locations where calendar_id = ${calendarId}) as "hasLocation",
      exists (select from holiday_regions where calendar_id = ${calendarId}) as "hasHolidays"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without from has a row')
  return row
}
