import { type SqlBool, sql } from 'kysely'
import type { HoldReason } from '#core/appointments/hold.ts'
import type { HoldCounts } from '#core/appointments/hold-limits.ts'
import type { HeldTime } from '#core/appointments/hold-share.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { HoldOwner } from './to-hold-owner.ts'

export type HeldAppointment = { readonly calendarId: string; readonly id: string }

/** Stores the reason and the holder of a held appointment. `holder` is null for the calendar's owner. */
export async function insertHold(
  trx: Trx,
  { calendarId, id }: HeldAppointment,
  { reason, holder }: { readonly reason: HoldReason; readonly holder: HoldOwner | null },
): Promise<void> {
  await insertHoldRow(trx, {
    calendar_id: calendarId,
    appointment_id: id,
    reason,
    client_key: holder?.client ?? null,
    network_key: holder?.network ?? null,
    email_key: holder?.email ?? null,
  })
}

type NewRow = {
  readonly calendar_id: string
  readonly appointment_id: string
  readonly reason: HoldReason
  readonly client_key: string | null
  readonly network_key: string | null
  readonly email_key: string | null
}

const insertHoldRow = prepareQuery((db, row: NewRow) => db.insertInto('holds').values(row))

/**
 * Makes requests that create holds for the same client, network or email address wait for each other. Called after the
 * locks of the booking.
 */
export async function lockHoldOwner(trx: Trx, { client, network, email }: HoldOwner): Promise<void> {
  const lock = (key: string) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`
  // Always take these locks in the same order, to avoid deadlocks.
  await sql`select ${lock(client)}, ${lock(network)}, ${lock(email)}`.execute(trx)
}

/**
 * The holder whose holds are counted, the reason and time of the new hold, and the start of the counting window
 * (`since`).
 */
type Counting = {
  readonly reason: HoldReason
  readonly holder: HoldOwner
  readonly calendarId: string
  readonly startsAtMs: number
  readonly since: Date
  readonly now: Date
}

/**
 * Counts a holder's holds for each limit. Open holds of the same person on the calendar are excluded, because a new
 * hold replaces them; `openOfPerson` counts them. The hold of an offer replaces no other hold, so nothing is excluded
 * for it. Source: rules H2 and H10.
 */
export async function countHolds(
  db: Db,
  { reason, holder, calendarId, startsAtMs, since, now }: Counting,
): Promise<HoldCounts & { readonly openOfPerson: number }> {
  const isClient = sql<SqlBool>`client_key = ${holder.client}`
  const isNetwork = sql<SqlBool>`network_key = ${holder.network}`
  const isEmail = sql<SqlBool>`email_key = ${holder.email}`
  const matchesPerson =
    reason === 'offer'
      ? sql<SqlBool>`false`
      : sql<SqlBool>`(${isEmail} and ${isNetwork} and holds.calendar_id = ${calendarId})`
  const isOpen = sql<SqlBool>`released_at is null`
  const isRecent = sql<SqlBool>`created_at > ${since}`
  const isExpired = sql<SqlBool>`(released_at >= hold_expires_at and released_at > ${since})`
  const isTime = sql<SqlBool>`(holds.calendar_id = ${calendarId} and starts_at = ${new Date(startsAtMs)})`
  const count = (...conditions: (typeof isOpen)[]) =>
    sql<number>`count(*) filter (where ${sql.join(conditions, sql` and `)})::integer`
  return unpaidHolds(db, reason)
    .where(sql<SqlBool>`(${isNetwork} or ${isEmail})`)
    .select([
      count(isClient, isExpired).as('expiredOfClient'),
      count(isClient, isRecent).as('madeByClient'),
      count(isClient, isOpen, sql`not ${matchesPerson}`).as('openOfClient'),
      sql<number>`coalesce(sum(
        extract(epoch from least(coalesce(released_at, hold_expires_at), ${now}) - greatest(created_at, ${since})) / 60
      ) filter (where ${isNetwork} and ${isTime} and coalesce(released_at, hold_expires_at) > ${since}), 0)::float8`.as(
        'minutesOfTime',
      ),
      count(isNetwork, isRecent).as('madeByNetwork'),
      count(isNetwork, isOpen, sql`not ${matchesPerson}`).as('openOfNetwork'),
      count(isEmail, isExpired).as('expiredOfEmail'),
      count(isEmail, isOpen, sql`not ${matchesPerson}`).as('openOfEmail'),
      count(matchesPerson, isOpen).as('openOfPerson'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * Lists the open holds of the same person on a calendar, and those on the professional's other calendars that overlap
 * `during`. The same person means the same email address and the same network, because anybody can enter an address.
 * Excludes the hold that an earlier request with this idempotency key created. Source: rules H5 and H7.
 */
export async function listHoldsOfPerson(
  db: Db,
  {
    holder,
    calendarId,
    during,
    key,
  }: { holder: HoldOwner; calendarId: string; during: Interval; key: string | null },
): Promise<HeldAppointment[]> {
  const open = selectProfessionalHolds(db, 'payment', calendarId)
    .select(['holds.calendar_id as calendarId', 'holds.appointment_id as id'])
    .where((eb) => eb.or([eb('holds.calendar_id', '=', calendarId), isWithin(during)]))
    .where('email_key', '=', holder.email)
    .where('network_key', '=', holder.network)
    .where('released_at', 'is', null)
  const others =
    key === null
      ? open
      : open.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('idempotency_keys')
                .select('key')
                .where('idempotency_keys.calendar_id', '=', calendarId)
                .where('idempotency_keys.key', '=', key)
                .whereRef('idempotency_keys.appointment_id', '=', 'holds.appointment_id'),
            ),
          ),
        )
  return others.execute()
}

/** True when a hold of the same person, on any calendar of the professional, overlaps `during`. Source: rule H5. */
export async function isHeldByPerson(
  db: Db,
  { holder, calendarId, during }: { holder: HoldOwner; calendarId: string; during: Interval },
): Promise<boolean> {
  const held = await selectProfessionalHolds(db, 'payment', calendarId)
    .select('holds.appointment_id')
    .where('email_key', '=', holder.email)
    .where('network_key', '=', holder.network)
    .where('released_at', 'is', null)
    .where(isWithin(during))
    .limit(1)
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Lists the times near `during` that customers hold on the professional's calendars, if these holds count towards the
 * limits of a new hold with this reason. The times are extended by the buffers in the same way as in `listTimes`.
 */
export async function listHeldTimes(
  db: Db,
  {
    reason,
    holder,
    calendarId,
    during,
  }: { reason: HoldReason; holder: HoldOwner; calendarId: string; during: Interval },
): Promise<HeldTime[]> {
  const rows = await selectProfessionalHolds(db, reason, calendarId)
    .select([
      sql<Date>`lower(occupied) - ${EXTRA_BUFFER}`.as('starts_at'),
      sql<Date>`upper(occupied) + ${EXTRA_BUFFER}`.as('ends_at'),
      'network_key',
    ])
    .where('client_key', 'is not', null)
    .where('released_at', 'is', null)
    .where(isWithin(during))
    .execute()
  return rows.map((row) => ({
    startMs: row.starts_at.getTime(),
    endMs: row.ends_at.getTime(),
    isOwn: row.network_key === holder.network,
  }))
}

/** SQL for the minutes by which another calendar's buffer exceeds this calendar's buffer. Source: rule T39. */
const EXTRA_BUFFER = sql`make_interval(mins => greatest(beside.buffer_time_minutes - own.buffer_time_minutes, 0))`

function isWithin(during: Interval) {
  return sql<SqlBool>`lower(occupied) - ${EXTRA_BUFFER} < ${new Date(during.endMs)}
    and upper(occupied) + ${EXTRA_BUFFER} > ${new Date(during.startMs)}`
}

/** Selects the counted holds on a calendar (`own`) and on the professional's other calendars (`beside`). */
function selectProfessionalHolds(db: Db, reason: HoldReason, calendarId: string) {
  return unpaidHolds(db, reason)
    .innerJoin('calendars as beside', 'beside.id', 'holds.calendar_id')
    .innerJoin('calendars as own', 'own.host_id', 'beside.host_id')
    .where('own.id', '=', calendarId)
}

/**
 * Selects the open and expired holds that count towards the limits of a new hold with this reason. A hold that was
 * paid, or that the owner has decided about, does not count. For the hold of an offer, all holds count. For other
 * holds, those of offers do not: an offer lasts through the night and would keep everybody behind the same network
 * address from paying. Source: rules H2 and H3.
 */
function unpaidHolds(db: Db, reason: HoldReason) {
  return db
    .selectFrom('holds')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'holds.calendar_id')
        .onRef('appointments.id', '=', 'holds.appointment_id'),
    )
    .where('status', '=', 'pending_payment')
    .where('hold_expires_at', 'is not', null)
    .$if(reason !== 'offer', (counted) => counted.where('holds.reason', '<>', 'offer'))
}
