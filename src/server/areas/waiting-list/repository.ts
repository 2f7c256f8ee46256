import { type SelectExpression, sql } from 'kysely'
import type { DayPart } from '#core/waiting-list/waiting-request.ts'
import type { OfferState, WaitingState } from '#core/waiting-list/waiting-states.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type WaitingEntryKey = { readonly calendar_id: string; readonly id: string }

export type StoredWaitingEntry = WaitingEntryKey & {
  readonly state: WaitingState
  readonly added_by: 'customer' | 'owner'
  readonly customer_name: string
  readonly customer_email: string
  readonly customer_phone: string | null
  readonly customer_time_zone: string | null
  readonly appointment_type_id: string | null
  readonly appointment_type_name: string | null
  readonly time_zone: string
  readonly from_date: string
  readonly to_date: string
  readonly weekdays: readonly number[]
  readonly day_parts: readonly DayPart[]
  readonly unanswered: number
  readonly created_at: Date
  readonly valid_until: Date
  /** How many times the links in the customer's emails have been replaced. Source: rule Z14. */
  readonly link_rotation: number
  /**
   * The number of the scan at which the customer joined. Times found by this scan or an earlier one were already free
   * then. It is null until the first scan after the customer joined. Source: rule Z3.
   */
  readonly look_no: number | null
  /**
   * The client and network that sent the request, as keyed hashes. Null for entries by the owner, and for requests from older
   * versions. Source: rule H2.
   */
  readonly client_key: string | null
  readonly network_key: string | null
}

const COLUMNS = [
  'calendar_id',
  'id',
  'state',
  'added_by',
  'customer_name',
  'customer_email',
  'customer_phone',
  'customer_time_zone',
  'appointment_type_id',
  'appointment_type_name',
  'time_zone',
  sql<string>`to_char(from_date, 'YYYY-MM-DD')`.as('from_date'),
  sql<string>`to_char(to_date, 'YYYY-MM-DD')`.as('to_date'),
  'weekdays',
  'day_parts',
  'unanswered',
  'created_at',
  'valid_until',
  'link_rotation',
  sql<number | null>`look_no::float8`.as('look_no'),
  'client_key',
  'network_key',
] as const satisfies readonly SelectExpression<Schema, 'waiting_entries'>[]

function entries(db: Db) {
  return db.selectFrom('waiting_entries').select(COLUMNS)
}

export async function findEntryById(db: Db, id: string): Promise<StoredWaitingEntry | null> {
  return (await entries(db).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function findEntry(
  db: Db,
  { calendar_id: calendarId, id }: WaitingEntryKey,
): Promise<StoredWaitingEntry | null> {
  return (
    (await entries(db).where('calendar_id', '=', calendarId).where('id', '=', id).executeTakeFirst()) ?? null
  )
}

/** Locks an entry. The caller has locked the calendar. */
export async function lockEntry(
  trx: Trx,
  { calendar_id: calendarId, id }: WaitingEntryKey,
): Promise<StoredWaitingEntry | null> {
  return (
    (await entries(trx)
      .where('calendar_id', '=', calendarId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

export async function insertEntry(
  trx: Trx,
  entry: Omit<StoredWaitingEntry, 'link_rotation'> & { readonly joined_at: Date | null },
): Promise<void> {
  await trx
    .insertInto('waiting_entries')
    .values({ ...entry, weekdays: [...entry.weekdays], day_parts: [...entry.day_parts] })
    .execute()
}

type EntryChange = {
  readonly state: WaitingState
  /** When the entry ended; null when the customer is waiting again. */
  readonly ended_at?: Date | null
  readonly joined_at?: Date
  readonly unanswered?: number
}

export async function updateEntry(
  trx: Trx,
  { calendar_id: calendarId, id }: WaitingEntryKey,
  change: EntryChange,
): Promise<void> {
  await trx
    .updateTable('waiting_entries')
    .set(change)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}

/** Counts the entries that are waiting or have an open offer. */
export async function countActiveEntries(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('waiting_entries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('calendar_id', '=', calendarId)
    .where('state', 'in', ['waiting', 'offered'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Counts the waiting customers and the open offers on each calendar of an owner. A customer with several requests counts once
 * as waiting.
 */
export async function countWaitingByCalendar(
  db: Db,
  ownerId: OwnerId,
): Promise<{ readonly calendar_id: string; readonly waiting: number; readonly offered: number }[]> {
  const rows = await db
    .selectFrom('waiting_entries')
    .innerJoin('calendars', 'calendars.id', 'waiting_entries.calendar_id')
    .select(({ fn }) => [
      'calendar_id',
      fn.count<string>(sql`lower(btrim(waiting_entries.customer_email))`).distinct().as('waiting'),
      fn.countAll<string>().filterWhere('state', '=', 'offered').as('offered'),
    ])
    .where('calendars.user_id', '=', ownerId)
    .where('state', 'in', ['waiting', 'offered'])
    .groupBy('calendar_id')
    .orderBy('calendar_id')
    .execute()
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting), offered: Number(row.offered) }))
}

/**
 * Counts the active entries of an email address. Unconfirmed requests do not count, because anybody can enter an
 * address.
 */
export async function countEntriesOfEmail(db: Db, calendarId: string, email: string): Promise<number> {
  const { count } = await db
    .selectFrom('waiting_entries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(customer_email)) = lower(btrim(${email}))`)
    .where('state', 'in', ['waiting', 'offered'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the active entries, with or without an offer, in order, at most `limit`. */
export async function listActiveEntries(
  db: Db,
  calendarId: string,
  limit: number,
): Promise<StoredWaitingEntry[]> {
  return entries(db)
    .where('calendar_id', '=', calendarId)
    .where('state', 'in', ['waiting', 'offered'])
    .orderBy('joined_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Sets the scan number of active entries that have none yet. Source: rule Z3. */
export async function setMissingScanNumbers(trx: Trx, calendarId: string, scanNumber: number): Promise<void> {
  await trx
    .updateTable('waiting_entries')
    .set({ look_no: scanNumber })
    .where('calendar_id', '=', calendarId)
    .where('state', 'in', ['waiting', 'offered'])
    .where('look_no', 'is', null)
    .execute()
}

/**
 * Recipients of the "list closed" email: per email address, the active request with the latest end date. `after` is the last
 * address of the previous page. Source: rule Z15.
 */
export async function listClosedListRecipients(
  db: Db,
  calendarId: string,
  { now, after, limit }: { readonly now: Date; readonly after: string | null; readonly limit: number },
): Promise<StoredWaitingEntry[]> {
  const address = sql<string>`lower(btrim(customer_email))`
  const wanted = entries(db)
    .distinctOn(address)
    .where('calendar_id', '=', calendarId)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'offered'),
        eb.and([eb('state', '=', 'waiting'), eb('valid_until', '>', now)]),
      ]),
    )
    .orderBy(address)
    .orderBy('waiting_entries.to_date', 'desc')
    .orderBy('id')
    .limit(limit)
  const following = after === null ? wanted : wanted.where(sql<boolean>`${address} > lower(btrim(${after}))`)
  return following.execute()
}

/**
 * Lists the starts that the customer of each entry was offered. A start that somebody else booked is left out, so it
 * may be offered again. Source: rule Z3.
 */
export async function listOfferedStarts(
  db: Db,
  calendarId: string,
  after: Date,
): Promise<Map<string, Set<number>>> {
  const rows = await db
    .selectFrom('waiting_offers')
    .select(['entry_id', 'starts_at'])
    .where('calendar_id', '=', calendarId)
    .where('starts_at', '>', after)
    .where('state', '<>', 'taken')
    .execute()
  const offered = new Map<string, Set<number>>()
  for (const { entry_id, starts_at } of rows) {
    const starts = offered.get(entry_id) ?? new Set()
    offered.set(entry_id, starts.add(starts_at.getTime()))
  }
  return offered
}

/** Expires the entries of a calendar whose last day has passed. Entries with an open offer expire when it ends. */
export async function expireEntries(db: Db, calendarId: string, now: Date): Promise<void> {
  await endUnwanted(db, now).where('calendar_id', '=', calendarId).execute()
}

/** Expires the entries of all calendars whose last day has passed, at most `limit`. */
export async function expireAllEntries(db: Db, now: Date, limit: number): Promise<void> {
  const over = db
    .selectFrom('waiting_entries')
    .select('id')
    .where('ended_at', 'is', null)
    .where('state', '<>', 'offered')
    .where('valid_until', '<=', now)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  await endUnwanted(db, now).where('id', 'in', over).execute()
}

function endUnwanted(db: Db, now: Date) {
  return db
    .updateTable('waiting_entries')
    .set({ state: 'expired', ended_at: now })
    .where('state', 'in', ['unconfirmed', 'waiting'])
    .where('valid_until', '<=', now)
}

/**
 * Returns one page of the list for its owner, with the total number of entries. Active entries are in the order of their
 * places.
 */
export async function listEntriesPage(
  db: Db,
  calendarId: string,
  {
    show,
    limit,
    offset,
  }: { readonly show: 'waiting' | 'ended'; readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly StoredWaitingEntry[]; readonly total: number }> {
  const all = db
    .selectFrom('waiting_entries')
    .where('calendar_id', '=', calendarId)
    .where('ended_at', show === 'waiting' ? 'is' : 'is not', null)
  const { count } = await all.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const page = all.select(COLUMNS).limit(limit).offset(offset)
  const rows = await (show === 'waiting'
    ? page.orderBy('joined_at', (order) => order.asc().nullsLast()).orderBy('id')
    : page.orderBy('ended_at', 'desc').orderBy('id')
  ).execute()
  return { entries: rows, total: Number(count) }
}

/** Deletes the entries of an email address on the waiting list of a calendar. Source: rule Z10. */
export async function deleteEntriesOfEmail(trx: Trx, calendarId: string, email: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('waiting_entries')
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(customer_email)) = lower(btrim(${email}))`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Moves the entries of an email address to another address, and invalidates the links that were sent to the old one.
 * Rotation 0 means that the link was never replaced, so the highest number is followed by 1. Source: rule Z14.
 */
export async function moveEntriesToEmail(
  trx: Trx,
  { calendarId, email }: { readonly calendarId: string; readonly email: string },
  to: string,
): Promise<StoredWaitingEntry[]> {
  return trx
    .updateTable('waiting_entries')
    .set({ customer_email: to, link_rotation: sql<number>`link_rotation % 65535 + 1` })
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(customer_email)) = lower(btrim(${email}))`)
    .returning(COLUMNS)
    .execute()
}

/** Lists the entries of an email address on the waiting list of a calendar, newest first. */
export async function listEntriesOfEmail(
  db: Db,
  calendarId: string,
  email: string,
): Promise<StoredWaitingEntry[]> {
  return entries(db)
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`lower(btrim(customer_email)) = lower(btrim(${email}))`)
    .orderBy('created_at', 'desc')
    .execute()
}

export type Offer = WaitingEntryKey & {
  readonly entry_id: string
  readonly state: OfferState
  readonly starts_at: Date
  readonly ends_at: Date
  readonly made_by: 'list' | 'owner'
  readonly held_appointment_id: string | null
  readonly booked_appointment_id: string | null
  readonly offered_at: Date
  /** When the offer's email was sent or finally refused; null while it is pending. Source: rule Z7. */
  readonly mailed_at: Date | null
  readonly expires_at: Date
}

function offers(db: Db) {
  return db.selectFrom('waiting_offers').selectAll()
}

export async function findOfferById(db: Db, id: string): Promise<Offer | null> {
  return (await offers(db).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Locks the open offer of an entry; null when there is none. The caller has locked the calendar. */
export async function lockOpenOffer(
  trx: Trx,
  { calendar_id: calendarId, id }: WaitingEntryKey,
): Promise<Offer | null> {
  return (
    (await offers(trx)
      .where('calendar_id', '=', calendarId)
      .where('entry_id', '=', id)
      .where('state', '=', 'open')
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

export async function lockOffer(
  trx: Trx,
  { calendar_id: calendarId, id }: WaitingEntryKey,
): Promise<Offer | null> {
  return (
    (await offers(trx)
      .where('calendar_id', '=', calendarId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

export async function insertOffer(
  trx: Trx,
  offer: Omit<Offer, 'state' | 'booked_appointment_id' | 'mailed_at'>,
): Promise<void> {
  await trx
    .insertInto('waiting_offers')
    .values({ ...offer, state: 'open' })
    .execute()
}

export async function updateOffer(
  trx: Trx,
  { calendar_id: calendarId, id }: WaitingEntryKey,
  end: {
    readonly state: Exclude<OfferState, 'open'>
    readonly ended_at: Date
    readonly booked_appointment_id?: string
  },
): Promise<void> {
  await trx
    .updateTable('waiting_offers')
    .set(end)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}

/** Records when an offer's email was sent. Null means that it must be sent again, to another address. */
export async function updateMailedAt(
  db: Db,
  { calendar_id: calendarId, id }: WaitingEntryKey,
  mailedAt: Date | null,
): Promise<void> {
  await db
    .updateTable('waiting_offers')
    .set({ mailed_at: mailedAt })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}

export async function listOpenOffers(db: Db, calendarId: string): Promise<Offer[]> {
  return offers(db).where('calendar_id', '=', calendarId).where('state', '=', 'open').execute()
}

/** Lists the open offers without a hold, which all matching customers got, with the appointment type of each. */
export async function listOffersWithoutHold(
  db: Db,
  calendarId: string,
): Promise<(WaitingEntryKey & { readonly appointment_type_id: string | null; readonly starts_at: Date })[]> {
  return db
    .selectFrom('waiting_offers as offer')
    .innerJoin('waiting_entries as entry', (join) =>
      join.onRef('entry.calendar_id', '=', 'offer.calendar_id').onRef('entry.id', '=', 'offer.entry_id'),
    )
    .select(['offer.calendar_id', 'offer.id', 'offer.starts_at', 'entry.appointment_type_id'])
    .where('offer.calendar_id', '=', calendarId)
    .where('offer.state', '=', 'open')
    .where('offer.held_appointment_id', 'is', null)
    .execute()
}

/** Lists the open offers of a calendar that have expired. */
export async function listEndedOffers(db: Db, calendarId: string, now: Date): Promise<WaitingEntryKey[]> {
  return db
    .selectFrom('waiting_offers')
    .select(['calendar_id', 'id'])
    .where('calendar_id', '=', calendarId)
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .execute()
}

/** Lists the calendars with an open offer that has expired, at most 100. */
export async function listCalendarsWithEndedOffers(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('waiting_offers')
    .select('calendar_id')
    .distinct()
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .limit(100)
    .execute()
  return rows.map(({ calendar_id }) => calendar_id)
}

/**
 * Lists the accepted offers of a calendar whose payment did not arrive in time, and the unpaid offers whose payment
 * arrived later. Source: rule Z12.
 */
export async function listOffersWithLatePayments(db: Db, calendarId: string): Promise<WaitingEntryKey[]> {
  return db
    .selectFrom('waiting_offers as offer')
    .innerJoin('appointments as booked', (join) =>
      join
        .onRef('booked.calendar_id', '=', 'offer.calendar_id')
        .onRef('booked.id', '=', 'offer.booked_appointment_id'),
    )
    .select(['offer.calendar_id', 'offer.id'])
    .where('offer.calendar_id', '=', calendarId)
    .where('offer.booked_appointment_id', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('offer.state', '=', 'accepted'),
          eb('booked.status', '=', 'pending_payment'),
          eb('booked.released_at', 'is not', null),
        ]),
        eb.and([eb('offer.state', '=', 'unpaid'), eb('booked.status', '=', 'confirmed')]),
      ]),
    )
    .execute()
}

/** Lists the offers of the given entries, newest first. */
export async function listOffersOfEntries(
  db: Db,
  calendarId: string,
  entryIds: readonly string[],
): Promise<Offer[]> {
  if (entryIds.length === 0) return []
  return offers(db)
    .where('calendar_id', '=', calendarId)
    .where('entry_id', 'in', entryIds)
    .orderBy('offered_at', 'desc')
    .execute()
}

/** Finds the latest offer of an entry; null when it never had one. */
export async function findLastOffer(
  db: Db,
  { calendar_id: calendarId, id }: WaitingEntryKey,
): Promise<Offer | null> {
  return (
    (await offers(db)
      .where('calendar_id', '=', calendarId)
      .where('entry_id', '=', id)
      .orderBy('offered_at', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? null
  )
}

/** Lists the appointment types of a calendar: their names, and whether they take place online. */
export async function listBookableTypes(
  db: Db,
  calendarId: string,
): Promise<{ readonly id: string; readonly name: string; readonly is_online: boolean }[]> {
  return db
    .selectFrom('appointment_types')
    .select(['id', 'name', 'is_online'])
    .where('calendar_id', '=', calendarId)
    .execute()
}
