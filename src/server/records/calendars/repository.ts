import { sql, type Updateable } from 'kysely'
import type { LocationSummary } from '#contract/availability/location-summary.ts'
import {
  SLOT_SETTING_NAMES,
  type SlotSettings,
  toSlotRules,
  toSlotSettings,
} from '#contract/slots/slot-settings.ts'
import type { DomainSettings } from '#core/addresses/public-url.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { DEFAULT_SLOT_RULES, type SlotRules } from '#core/slots/slot-rules.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { actingAs } from '#server/platform/db/acting-as.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { VERIFIED_HOST_SQL } from '#server/records/hostnames/repository.ts'

export type CalendarRow = Awaited<ReturnType<typeof listCalendars>>[number]

/** Lists the owner's calendars, newest first. Source: rule C10. */
export async function listCalendars(db: Db, ownerId: OwnerId) {
  return calendars(db)
    .where('calendars.user_id', '=', ownerId)
    .orderBy('calendars.created_at', 'desc')
    .execute()
}

/** Lists the owner's calendars with their clocks only, newest first. */
export function listCalendarClocks(db: Db, ownerId: OwnerId) {
  return db
    .selectFrom('calendars')
    .select(['id', 'slug', 'timezone', 'hour_cycle'])
    .where('user_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .execute()
}

export async function findCalendar(db: Db, id: string): Promise<CalendarRow | null> {
  return (await calendars(db).where('calendars.id', '=', id).executeTakeFirst()) ?? null
}

export async function findCalendarBySlug(db: Db, slug: string): Promise<CalendarRow | null> {
  return (await calendars(db).where('calendars.slug', '=', slug).executeTakeFirst()) ?? null
}

/**
 * Lists the sites that may embed this booking link in a frame. Null allows any site. For an unknown booking link, the
 * list is empty.
 */
export async function findEmbedSites(db: Db, slug: string): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('calendars')
    .select('embed_sites')
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row === undefined ? [] : row.embed_sites
}

/** Returns the primary location of a calendar, or null. */
export async function findPrimaryLocation(db: Db, calendarId: string): Promise<LocationSummary | null> {
  const row = await db
    .selectFrom('calendar_locations')
    .innerJoin('locations', 'locations.id', 'calendar_locations.location_id')
    .select(['locations.id', 'locations.name', 'locations.address', 'locations.type'])
    .where('calendar_locations.calendar_id', '=', calendarId)
    .where('calendar_locations.is_primary', '=', true)
    .executeTakeFirst()
  return row ?? null
}

function calendars(db: Db) {
  return db
    .selectFrom('calendars')
    .innerJoin('hosts as person', 'person.id', 'calendars.host_id')
    .selectAll('calendars')
    .select('person.name as person_name')
    .select(VERIFIED_HOST_SQL.as('live_host'))
    .select(isConnectedToGoogle.as('is_connected_to_google'))
    .select(hasQuestions.as('has_questions'))
    .select(isByLinkOnly.as('is_by_link_only'))
}

const hasQuestions = sql<boolean>`exists (select from questions where questions.calendar_id = calendars.id)`

/** SQL that is true when the calendar has appointment types, and none of them is listed. Source: rule T65. */
const isByLinkOnly = sql<boolean>`coalesce(
  (select not bool_or(is_listed) from appointment_types where appointment_types.calendar_id = calendars.id), false)`

/**
 * SQL that is true when the calendar uses a calendar of a connected Google account, or when another calendar of the
 * same person does and its busy times count here too. Includes accounts whose access has expired. Source: rule G32.
 */
const isConnectedToGoogle = sql<boolean>`exists (
  select from calendars as reader
  join used_external_calendars as used on used.calendar_id = reader.id
  join external_calendars as external on external.id = used.external_calendar_id
  join calendar_connections as connection on connection.id = external.connection_id
  where reader.host_id = calendars.host_id and (reader.id = calendars.id or used.reads_busy_times)
    and connection.provider = 'google' and connection.state <> 'revoked'
)`

/** Returns the payment providers of a calendar. No row means that it has none. */
export async function findPaymentProviders(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('payment_settings')
    .innerJoin('calendars', 'calendars.id', 'payment_settings.calendar_id')
    .select(['stripe_connected', 'paypal_connected', 'paypal_mode', 'payment_enabled'])
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  const nothing = { stripe_connected: false, paypal_connected: false, payment_enabled: true }
  return row ?? { ...nothing, paypal_mode: 'sandbox' as const }
}

/**
 * Locks the owner's account, so that concurrent requests count calendars one after the other. Source: rule C5.
 * @returns the number of calendars and the owner's name, or null when the account was deleted
 */
export async function lockOwner(
  trx: Trx,
  ownerId: OwnerId,
): Promise<{
  calendarCount: number
  first_name: string
  last_name: string
} | null> {
  const owner = await trx
    .selectFrom('profiles')
    .select(['first_name', 'last_name', actingAs(ownerId).as('actor')])
    .where('id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (owner === undefined) return null
  const { count } = await trx
    .selectFrom('calendars')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return {
    calendarCount: count,
    first_name: owner.first_name,
    last_name: owner.last_name,
  }
}

/**
 * Reserves a booking link. Returns false when the link was ever given to another calendar, because links are never
 * reused. Source: rule C4.
 */
export async function tryReserveSlug(trx: Trx, slug: string): Promise<boolean> {
  const taken = await trx
    .insertInto('public_calendars')
    .values({ slug, calendar_id: null, public_url: null })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('slug')
    .executeTakeFirst()
  return taken !== undefined
}

export type NewCalendar = {
  readonly id: string
  /** The person whose time is booked on the calendar. */
  readonly host_id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly color: string
  readonly category: string | null
  readonly professional_first_name: string | null
  readonly professional_last_name: string | null
  readonly timezone: string
  readonly hour_cycle: HourCycle
  readonly appointment_title_required: boolean
  readonly default_appointment_title: string
  readonly payment_required: boolean
  readonly created_at: Date
}

/** Inserts a calendar whose slug was reserved earlier in the same transaction. */
export async function insertCalendar(trx: Trx, ownerId: OwnerId, calendar: NewCalendar): Promise<void> {
  await trx
    .insertInto('calendars')
    .values({
      ...calendar,
      user_id: ownerId,
      ...toSlotSettings(DEFAULT_SLOT_RULES),
      updated_at: calendar.created_at,
    })
    .execute()
  await assignSlug(trx, calendar)
}

/** Assigns a slug that was reserved earlier in the same transaction. */
async function assignSlug(trx: Trx, { id, slug }: Pick<NewCalendar, 'id' | 'slug'>): Promise<void> {
  await trx.updateTable('public_calendars').set({ calendar_id: id }).where('slug', '=', slug).execute()
}

/** The columns that a copy of a calendar takes from the original. */
export const COPIED_COLUMNS = [
  'host_id',
  'description',
  'category',
  'professional_first_name',
  'professional_last_name',
  'timezone',
  'hour_cycle',
  'appointment_title_required',
  'default_appointment_title',
  'payment_enabled',
  'payment_required',
  'email_confirmation_required',
  'embed_sites',
  ...SLOT_SETTING_NAMES,
  'reminder_settings',
  'branding_settings',
  'policy',
] as const satisfies readonly (keyof Schema['calendars'])[]

type CalendarCopy = {
  readonly originalId: string
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Null for the colour of the original. */
  readonly color: string | null
  /** The idempotency key of the request. */
  readonly key: string | null
  readonly createdAt: Date
}

/** Inserts a copy of a locked calendar that takes no bookings yet. Its slug was reserved earlier in the same transaction. Source: rule C16. */
export async function insertCopy(trx: Trx, ownerId: OwnerId, copy: CalendarCopy): Promise<void> {
  const copied = sql.join(COPIED_COLUMNS.map((name) => sql.ref(name)))
  await sql`
    insert into calendars
      (id, user_id, slug, name, color, takes_bookings, copy_key, created_at, updated_at, ${copied})
    select ${copy.id}, user_id, ${copy.slug}, ${copy.name}, coalesce(${copy.color}, color), false, ${copy.key},
      ${copy.createdAt}, ${copy.createdAt}, ${copied}
    from calendars where id = ${copy.originalId} and user_id = ${ownerId}`.execute(trx)
  await assignSlug(trx, copy)
}

/** Finds the owner's copy that an earlier request with the same idempotency key has created. */
export async function findCopyByKey(db: Db, ownerId: OwnerId, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('calendars')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('copy_key', '=', key)
    .executeTakeFirst()
  return row?.id ?? null
}

type NewOpening = { id: string; day_of_week: number; start_time: string; end_time: string }

export async function insertOpenings(
  trx: Trx,
  calendarId: string,
  openings: readonly NewOpening[],
): Promise<void> {
  await trx
    .insertInto('availability')
    .values(openings.map((opening) => ({ ...opening, calendar_id: calendarId })))
    .execute()
}

export type CalendarSlotRules = { readonly user_id: string; readonly rules: SlotRules }

/** Returns the owner and the slot rules of a calendar. Null when it does not exist. */
export async function findSlotRules(db: Db, id: string): Promise<CalendarSlotRules | null> {
  return toRuled(await selectRuledCalendar(db, id).executeTakeFirst())
}

/**
 * Like `findSlotRules`, but locks the calendar for a change by the owner, so that changes happen one after the other and no
 * booking can happen meanwhile. Bookings take this lock first.
 */
export async function lockCalendar(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
): Promise<CalendarSlotRules | null> {
  const calendar = selectRuledCalendar(trx, id).select(actingAs(ownerId).as('actor'))
  return toRuled(await calendar.forNoKeyUpdate().executeTakeFirst())
}

/** Locks a calendar for deletion: the stronger lock also keeps new rows from referring to it. */
export async function lockCalendarForDeletion(trx: Trx, id: string): Promise<CalendarSlotRules | null> {
  return toRuled(await selectRuledCalendar(trx, id).forUpdate().executeTakeFirst())
}

function selectRuledCalendar(db: Db, id: string) {
  return db
    .selectFrom('calendars')
    .select(['user_id', ...SLOT_SETTING_NAMES])
    .where('id', '=', id)
}

function toRuled(
  row: Awaited<ReturnType<ReturnType<typeof selectRuledCalendar>['executeTakeFirst']>>,
): CalendarSlotRules | null {
  if (row === undefined) return null
  return { user_id: row.user_id, rules: toSlotRules(row) }
}

/** The columns that an owner can change. */
export type EditableCalendarColumns = Pick<
  Updateable<Schema['calendars']>,
  | 'name'
  | 'description'
  | 'color'
  | 'appointment_title_required'
  | 'default_appointment_title'
  | 'payment_enabled'
  | 'professional_first_name'
  | 'professional_last_name'
  | 'category'
  | 'timezone'
  | 'hour_cycle'
  | 'reminder_settings'
  | 'policy'
  | 'branding_settings'
  | 'payment_required'
  | 'embed_sites'
  | 'takes_bookings'
  | keyof SlotSettings
>

export async function updateCalendarRow(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
  columns: EditableCalendarColumns & { readonly updated_at: Date },
): Promise<void> {
  await trx
    .updateTable('calendars')
    .set(columns)
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .execute()
}

/** Counts the future appointments, those of customers without an email address, and those that are paid. */
export async function countFutureAppointments(
  db: Db,
  calendarId: string,
  now: Date,
): Promise<{ total: number; without_email: number; paid: number }> {
  return future(db, calendarId, now)
    .select([
      sql<number>`count(*)::integer`.as('total'),
      sql<number>`count(*) filter (where customers.email is null)::integer`.as('without_email'),
      sql<number>`count(*) filter (where payment_status = 'paid')::integer`.as('paid'),
    ])
    .executeTakeFirstOrThrow()
}

export async function findNextAppointment(db: Db, calendarId: string, now: Date) {
  const row = await future(db, calendarId, now)
    .select(['appointments.customer_name', 'appointments.starts_at', 'appointments.customer_time_zone'])
    .orderBy('appointments.starts_at')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Selects the future appointments, whose customers get an email when the calendar is deleted. */
function future(db: Db, calendarId: string, now: Date) {
  return db
    .selectFrom('appointments')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .where('appointments.calendar_id', '=', calendarId)
    .where(isFutureAppointment(now))
}

/**
 * Deletes a calendar and everything in it. Its slug is never reused; its transactions stay for accounting. Source: rule
 * C9.
 */
export async function deleteCalendarRow(trx: Trx, ownerId: OwnerId, id: string): Promise<void> {
  await deleteCounts(trx, ownerId, id)
  await deleteInPieces(trx, 'appointments', { ownerId, calendarId: id })
  await deleteInPieces(trx, 'customers', { ownerId, calendarId: id })
  await trx.deleteFrom('calendars').where('id', '=', id).where('user_id', '=', ownerId).execute()
}

/**
 * Deletes the counts of the calendar's rows that the lists use. They are deleted first, so that the database does not
 * decrement them for each appointment: with 30,000 appointments that took four fifths of the time.
 */
async function deleteCounts(trx: Trx, ownerId: OwnerId, calendarId: string): Promise<void> {
  const own = sql`select id from calendars where id = ${calendarId} and user_id = ${ownerId}`
  await sql`delete from appointment_days where calendar_id in (${own})`.execute(trx)
  await sql`delete from appointment_people where calendar_id in (${own})`.execute(trx)
}

/** Number of rows deleted per statement, so that no statement exceeds the time limit. */
const DELETED_AT_ONCE = 2_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/** Deletes rows in batches, in the order of the ids, so that no batch reads rows that earlier batches have deleted. */
async function deleteInPieces(
  trx: Trx,
  table: 'appointments' | 'customers',
  { ownerId, calendarId }: { ownerId: OwnerId; calendarId: string },
): Promise<void> {
  const rowsOf = sql.table(table)
  for (let last: string | undefined = BEFORE_ALL_IDS; last !== undefined; ) {
    const { rows } = await sql<{ id: string }>`
      with piece as (
        select id from ${rowsOf}
        where calendar_id = ${calendarId} and id > ${last}
          and exists (select from calendars where id = ${calendarId} and user_id = ${ownerId})
        order by id limit ${sql.lit(DELETED_AT_ONCE)}
      ), deleted as (
        delete from ${rowsOf} where calendar_id = ${calendarId} and id = any (array (select id from piece))
      )
      select id from piece order by id desc limit 1`.execute(trx)
    last = rows[0]?.id
  }
}

/**
 * Returns the name and email address of the calendar's owner, and the calendar's name. Null when the calendar was
 * deleted.
 */
export async function findOwnerOfCalendar(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select(['profiles.full_name as name', 'profiles.email', 'calendars.name as calendar_name'])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Reserves a path for a calendar. Returns false when the word is or ever was a booking link (slug), or is the path of
 * another calendar. Source: rule I2.
 */
export async function tryReservePath(trx: Trx, calendarId: string, path: string): Promise<boolean> {
  const taken = await trx
    .insertInto('public_calendars')
    .values({ slug: path, calendar_id: null, public_url: null, path_of: calendarId })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ path_of: calendarId })
        .where('public_calendars.path_of', '=', calendarId),
    )
    .returning('slug')
    .executeTakeFirst()
  return taken !== undefined
}

/** Stores which address the owner has chosen. Links use it only if the state of the host allows it. */
export async function writeDomainSettings(
  trx: Trx,
  calendarId: string,
  { type, path, subdomain, customDomain }: DomainSettings,
  changedAt: Date,
): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({
      domain_settings: JSON.stringify({ type, path, subdomain, custom_domain: customDomain }),
      updated_at: changedAt,
    })
    .where('id', '=', calendarId)
    .execute()
}
