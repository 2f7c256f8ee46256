import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Interval } from '#core/shared/interval.ts'
import type { OwnersWork } from '#core/slots/occupied-time.ts'
import type { Session } from '#core/slots/sessions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { HOLDS_TIME, locationIdSql } from './times-repository.ts'

const selectSessions = prepareStatement<{ starts_at: Date; ends_at: Date; seats_left: number }>(
  'sessions-of-type',
  `select starts_at, ends_at, sessions.seats - seats_taken as seats_left from group_sessions as sessions
  join appointment_types as types on types.calendar_id = sessions.calendar_id and types.id = appointment_type_id
  where sessions.calendar_id = $1::uuid and appointment_type_id = $2::uuid and seats_taken > 0
    and starts_at >= $3::timestamptz and starts_at < $4::timestamptz
    and sessions.location_id is not distinct from ${locationIdSql('sessions.calendar_id', 'types')}`,
)

/**
 * Lists the booked sessions of a type that begin within `during`, at the type's present location. Sends no statement for a
 * type without seats. Source: rule B52.
 */
export async function listSessions(
  db: Db,
  {
    calendarId,
    typeId,
    seats,
    during,
  }: {
    readonly calendarId: string
    readonly typeId: string | null
    readonly seats: number | null
    readonly during: Interval
  },
): Promise<Session[]> {
  if (seats === null || typeId === null) return []
  const rows = await selectSessions(db, [
    calendarId,
    typeId,
    new Date(during.startMs),
    new Date(during.endMs),
  ])
  return rows.map((row) => ({
    startMs: row.starts_at.getTime(),
    endMs: row.ends_at.getTime(),
    seatsLeft: row.seats_left,
  }))
}

/** What identifies a session. */
type SessionPlace = {
  readonly calendarId: string
  readonly typeId: string
  readonly locationId: string | null
  readonly time: Interval
}

type FoundSession = OwnersWork & { readonly id: string; readonly seatsLeft: number }

/** Finds a session that somebody has booked. The caller has locked the calendar. */
export async function findBookedSession(
  trx: Trx,
  { calendarId, typeId, locationId, time }: SessionPlace,
): Promise<FoundSession | null> {
  const row = await trx
    .selectFrom('group_sessions')
    .select(['id', 'seats', 'seats_taken', 'prepare_minutes', 'wrap_up_minutes'])
    .where('calendar_id', '=', calendarId)
    .where('appointment_type_id', '=', typeId)
    .where('starts_at', '=', new Date(time.startMs))
    .where('ends_at', '=', new Date(time.endMs))
    .where('location_id', 'is not distinct from', locationId)
    .where('seats_taken', '>', 0)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    seatsLeft: row.seats - row.seats_taken,
    prepareMinutes: row.prepare_minutes,
    wrapUpMinutes: row.wrap_up_minutes,
  }
}

/**
 * Returns what a further seat in a session takes: exactly the session's time, whatever the type's preparation is now. It has no
 * buffer of its own: whether the session fits between other appointments was decided with its first seat.
 */
export function toFurtherSeat({ id: sessionId, prepareMinutes, wrapUpMinutes }: FoundSession) {
  return { sessionId, prepareMinutes, wrapUpMinutes, bufferMinutes: 0 }
}

/** Inserts a session that nobody has booked yet. */
export async function insertSession(
  trx: Trx,
  {
    calendarId,
    typeId,
    locationId,
    time,
    ...session
  }: SessionPlace & OwnersWork & { readonly seats: number },
): Promise<string> {
  const id = randomUUID()
  await trx
    .insertInto('group_sessions')
    .values({
      calendar_id: calendarId,
      id,
      appointment_type_id: typeId,
      location_id: locationId,
      starts_at: new Date(time.startMs),
      ends_at: new Date(time.endMs),
      prepare_minutes: session.prepareMinutes,
      wrap_up_minutes: session.wrapUpMinutes,
      seats: session.seats,
    })
    .execute()
  return id
}

type SessionKey = { readonly calendarId: string; readonly sessionId: string }

/** Lists the appointments that have a seat in a session, in the order in which they were booked. */
export async function listSeats(db: Db, { calendarId, sessionId }: SessionKey): Promise<string[]> {
  const rows = await db
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`${sql.raw(HOLDS_TIME)}`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Gives a session another time and location. Its appointments must get the same time in this transaction. Returns the id of a
 * copy at the old time, which the cancelled ones keep.
 */
export async function updateSessionTime(
  trx: Trx,
  { calendarId, sessionId }: SessionKey,
  { time, locationId }: Pick<SessionPlace, 'time' | 'locationId'>,
): Promise<string> {
  const copyId = randomUUID()
  await sql`
    insert into group_sessions (calendar_id, id, appointment_type_id, location_id, starts_at, ends_at, prepare_minutes,
      wrap_up_minutes, seats)
    select calendar_id, ${copyId}, appointment_type_id, location_id, starts_at, ends_at, prepare_minutes, wrap_up_minutes,
      seats
    from group_sessions where calendar_id = ${calendarId} and id = ${sessionId}`.execute(trx)
  await trx
    .updateTable('group_sessions')
    .set({ starts_at: new Date(time.startMs), ends_at: new Date(time.endMs), location_id: locationId })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', sessionId)
    .execute()
  return copyId
}

/** Returns the most seats that are taken in a future session of a type. */
export async function findMostSeatsTaken(
  trx: Trx,
  { calendarId, typeId, now }: { readonly calendarId: string; readonly typeId: string; readonly now: Date },
): Promise<number> {
  const { most } = await trx
    .selectFrom('group_sessions')
    .select((eb) => eb.fn.coalesce(eb.fn.max('seats_taken'), sql<number>`0`).as('most'))
    .where('calendar_id', '=', calendarId)
    .where('appointment_type_id', '=', typeId)
    .where('ends_at', '>', now)
    .executeTakeFirstOrThrow()
  return most
}

/** Changes the seats of the future sessions of a type. */
export async function updateSessionSeats(
  trx: Trx,
  { calendarId, typeId, now }: { readonly calendarId: string; readonly typeId: string; readonly now: Date },
  seats: number,
): Promise<void> {
  await trx
    .updateTable('group_sessions')
    .set({ seats })
    .where('calendar_id', '=', calendarId)
    .where('appointment_type_id', '=', typeId)
    .where('ends_at', '>', now)
    .execute()
}

/** Counts the seats that the customer with an email address has on a calendar in sessions that begin within `during`. */
export async function countSeatsOfCustomer(
  trx: Trx,
  {
    calendarId,
    email,
    during,
  }: { readonly calendarId: string; readonly email: string; readonly during: Interval },
): Promise<number> {
  const { rows } = await sql<{ seats: number }>`
    select count(*)::integer as seats from appointments
    join customers on customers.calendar_id = appointments.calendar_id and customers.id = customer_id
    where appointments.calendar_id = ${calendarId} and session_id is not null and ${sql.raw(HOLDS_TIME)}
      and lower(btrim(customers.email)) = lower(btrim(${email}))
      and starts_at >= ${new Date(during.startMs)} and starts_at < ${new Date(during.endMs)}`.execute(trx)
  return rows[0]?.seats ?? 0
}
