import { type SqlBool, sql } from 'kysely'
import type { HeldTime } from '#core/abuse/held-share.ts'
import type { HoldCounts } from '#core/abuse/hold-limits.ts'
import type { HoldReason } from '#core/booking/hold.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { Holder } from './to-holder.ts'

export type HeldAppointment = { readonly calendarId: string; readonly id: string }

/** Writes why an appointment is held and who holds it. `holder` is null for the calendar's owner. */
export async function insertHold(
  trx: Trx,
  { calendarId, id }: HeldAppointment,
  { reason, holder }: { readonly reason: HoldReason; readonly holder: Holder | null },
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
 * Makes others wait who create a hold for the same client, network or address. It comes after the locks of what is
 * booked.
 */
export async function lockHolder(trx: Trx, { client, network, email }: Holder): Promise<void> {
  const lock = (key: string) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`
  // Everybody takes these locks in this order.
  await sql`select ${lock(client)}, ${lock(network)}, ${lock(email)}`.execute(trx)
}

/** The holder whose holds are counted, the kind of hold that is wanted, its time, and the beginning of the window. */
type Counting = {
  readonly reason: HoldReason
  readonly holder: Holder
  readonly calendarId: string
  readonly startsAtMs: number
  readonly since: Date
  readonly now: Date
}

/**
 * The counts of a caller's holds. Open holds of the same person on the calendar are left out, because a new hold
 * replaces them; `openOfPerson` counts them. An offer replaces none. Source: rules H2 and H10.
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
 * The open holds of the same person on a calendar, and those on other calendars of its professional that take a part of `during`: made
 * with the same email address and from the same network, because anybody can type an address. The hold of the request with this key is
 * left out. Source: rules H5 and H7.
 */
export async function listHoldsOfPerson(
  db: Db,
  {
    holder,
    calendarId,
    during,
    key,
  }: { holder: Holder; calendarId: string; during: Interval; key: string | null },
): Promise<HeldAppointment[]> {
  const open = heldBeside(db, 'payment', calendarId)
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

/** Whether a hold of the same person, on any calendar of its professional, takes a part of `during`. Source: rule H5. */
export async function isHeldByPerson(
  db: Db,
  { holder, calendarId, during }: { holder: Holder; calendarId: string; during: Interval },
): Promise<boolean> {
  const held = await heldBeside(db, 'payment', calendarId)
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
 * The times within reach of `during` that strangers hold on the calendars of a professional, as far as they count for a hold of this
 * kind. They are as long as `listTimes` says.
 */
export async function listHeldTimes(
  db: Db,
  {
    reason,
    holder,
    calendarId,
    during,
  }: { reason: HoldReason; holder: Holder; calendarId: string; during: Interval },
): Promise<HeldTime[]> {
  const rows = await heldBeside(db, reason, calendarId)
    .select([
      sql<Date>`starts_at - ${MORE_BUFFER}`.as('starts_at'),
      sql<Date>`ends_at + ${MORE_BUFFER}`.as('ends_at'),
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

/** Of a hold on another calendar: by how much its buffer is larger than that of the calendar that is asked about. Source: rule T39. */
const MORE_BUFFER = sql`make_interval(mins => greatest(beside.buffer_time_minutes - own.buffer_time_minutes, 0))`

function isWithin(during: Interval) {
  return sql<SqlBool>`starts_at - ${MORE_BUFFER} < ${new Date(during.endMs)} and ends_at + ${MORE_BUFFER} > ${new Date(during.startMs)}`
}

/** The same holds on a calendar, the `own` one, and on those `beside` it, which book the same person. */
function heldBeside(db: Db, reason: HoldReason, calendarId: string) {
  return unpaidHolds(db, reason)
    .innerJoin('calendars as beside', 'beside.id', 'holds.calendar_id')
    .innerJoin('calendars as own', 'own.host_id', 'beside.host_id')
    .where('own.id', '=', calendarId)
}

/**
 * Holds that are open or have ended, as far as they count for a hold of this kind. A hold that was paid, or that the owner has decided
 * about, counts no longer. For an offer all holds count; for other holds offers do not, because an offer lasts through the night and
 * would keep everybody behind the same address from paying. Source: rules H2 and H3.
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
