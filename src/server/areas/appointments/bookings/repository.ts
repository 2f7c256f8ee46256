import { sql } from 'kysely'
import { SLOT_SETTING_NAMES, toSlotRules } from '#contract/slots/slot-settings.ts'
import { DEFAULT_POLICY, type Policy } from '#core/appointments/policy.ts'
import type { CustomerSeriesRule } from '#core/slots/series-rule.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareQuery, prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { type Client, parseClient } from '#server/platform/http/client-of-request.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { PRIMARY_LOCATION_NAME_SQL } from '#server/records/appointments/details-repository.ts'
import { lockPersonSql } from '#server/records/calendars/person-repository.ts'
import { IS_PAUSED_SQL } from '#server/records/calendars/plan-repository.ts'
import { VERIFIED_HOST_SQL } from '#server/records/hostnames/repository.ts'
import type { VerifiedHost } from '#server/records/hostnames/to-calendar-address.ts'
import { readsExternalCalendarSql } from '#server/records/slots/external-repository.ts'
import {
  locationIdSql,
  type SchedulingCalendar,
  type TypeTime,
} from '#server/records/slots/times-repository.ts'
import { isFeatureInDefaultPlan, isFeatureInPlanSql } from '#server/records/subscription/plan-repository.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'

/** The fields of a calendar that a booking needs. */
export type BookableCalendar = SchedulingCalendar & {
  readonly slug: string
  /** The id of the person whose time is booked. */
  readonly host_id: string
  readonly name: string
  readonly category: Appointment['category']
  readonly color: Appointment['color']
  /** The name of the calendar's primary location; null when it has none. */
  readonly location_name: string | null
  /** Together with `live_host`, this determines the address of the calendar's public page. */
  readonly domain_settings: Appointment['domain_settings']
  readonly live_host: VerifiedHost | null
  readonly default_appointment_title: string | null
  readonly professional_first_name: string | null
  readonly professional_last_name: string | null
  /** True when customers can pay online. Source: rule F1. */
  readonly payment_enabled: boolean
  readonly payment_required: boolean
  readonly email_confirmation_required: boolean
  /** The policy of appointments whose type has none of its own. Source: rule Q1. */
  readonly policy: Policy
  /** True when the calendar takes no new bookings from customers. Source: rules S13 and C17. */
  readonly is_paused: boolean
}

/**
 * Locks and returns the calendar's row. Until the commit no other transaction can book time on this calendar. Returns
 * null when the calendar does not exist.
 */
export async function lockBookableCalendar(trx: Trx, id: string): Promise<BookableCalendar | null> {
  const [row] = await lockById(trx, { id })
  return row === undefined ? null : toBookableCalendar(row)
}

/** Locks the calendar with this public slug. Returns null when the calendar does not exist. */
export async function lockPublicCalendar(trx: Trx, slug: string): Promise<BookableCalendar | null> {
  const [row] = await lockBySlug(trx, { slug })
  return row === undefined ? null : toBookableCalendar(row)
}

function toBookableCalendar(row: CalendarRow): BookableCalendar {
  return { ...row, rules: toSlotRules(row), policy: row.policy ?? DEFAULT_POLICY }
}

const lockById = prepareQuery((db, { id }: { id: string }) => lockCalendars(db).where('id', '=', id))
const lockBySlug = prepareQuery((db, { slug }: { slug: string }) =>
  lockCalendars(db).where('slug', '=', slug),
)

type CalendarRow = Awaited<ReturnType<ReturnType<typeof lockCalendars>['executeTakeFirstOrThrow']>>

/**
 * Subqueries load the location's name and the host from the snapshot of the time before the lock was granted. They may
 * be outdated, but no booking decision depends on them.
 */
function lockCalendars(db: Db) {
  return db
    .selectFrom('calendars')
    .select([
      'id',
      'slug',
      'host_id',
      'name',
      'category',
      'color',
      PRIMARY_LOCATION_NAME_SQL.as('location_name'),
      'domain_settings',
      VERIFIED_HOST_SQL.as('live_host'),
      'timezone',
      'hour_cycle',
      ...SLOT_SETTING_NAMES,
      'default_appointment_title',
      'professional_first_name',
      'professional_last_name',
      'payment_enabled',
      'payment_required',
      'email_confirmation_required',
      'policy',
      sql.raw<boolean>(IS_PAUSED_SQL).as('is_paused'),
    ])
    .forNoKeyUpdate()
}

/**
 * Locks the location, if any, and then the person of a locked calendar, until the transaction ends. Every caller locks the
 * calendar first and then these two in this order, to avoid deadlocks. Source: rule T20.
 */
export async function lockLocationAndPerson(
  trx: Trx,
  { calendarId, locationId }: { readonly calendarId: string; readonly locationId: string | null },
): Promise<void> {
  await lockTimes(trx, [calendarId, locationId])
}

const lockTimes = prepareStatement(
  'lock-times',
  `with place as (select case when $2::text is not null then ${lockingLocation('$2')} end),
    person as (select ${lockPersonSql('host_id')} from place, calendars where calendars.id = $1::uuid)
  select from person`,
)

function lockingLocation(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${id}, 0))`
}

type BookedType = TypeTime & {
  readonly id: string
  readonly name: string
  readonly price_cents: number | null
  readonly fee_note: string | null
  readonly is_online: boolean
  readonly payment_required: boolean
  /** The type's own policy; null when the calendar's policy applies. */
  readonly policy: Policy | null
  readonly series_rule: CustomerSeriesRule | null
}

type BookedLocation = {
  readonly id: string
  readonly name: string
  readonly address: string | null
  /** True for a physical location that can have only one appointment at a time. Source: rule T15. */
  readonly isExclusive: boolean
}

/**
 * The calendar, type and location of a booking, locked until the transaction ends, and other facts about the calendar that a
 * booking needs.
 */
export type LockedBooking = {
  readonly calendar: BookableCalendar
  readonly type: BookedType | null
  readonly location: BookedLocation | null
  readonly has_types: boolean
  /** True when the calendar asks customers questions. Source: rule B33. */
  readonly has_questions: boolean
  readonly provider_connected: boolean
  /** True when events of external calendars can block the time. Source: rule G6. */
  readonly reads_external_calendars: boolean
  /**
   * True when the calendar reads no external calendar and its person has no other calendar: then only its own appointments can
   * block the time. Source: rule T39.
   */
  readonly isAlone: boolean
  /**
   * True when customers have open waiting-list offers without a hold on the person's calendars. This booking may take
   * the time of one of them. Source: rule Z5.
   */
  readonly has_unkept_offers: boolean
  /** True when another calendar, or a type of another calendar, also uses the location. */
  readonly is_location_shared: boolean
  /** The highest `BK-` and `C` numbers in use, in milliseconds since the epoch; 0 when there are none. Source: rule B14. */
  readonly lastReferenceMs: number
  readonly lastClientIdMs: number
}

/**
 * Locks the type, the location, the time of an exclusive location and the time of the person, so that nobody can
 * change, delete or book any of them before the transaction ends. The caller must lock the calendar first, in a
 * separate statement: this statement's snapshot is then newer than that lock, so it includes everything that others
 * have committed.
 */
export async function lockBooking(
  deps: DefaultPlanSettings & { readonly now: Clock },
  trx: Trx,
  { calendar, typeId }: { readonly calendar: BookableCalendar; readonly typeId: string | null },
): Promise<LockedBooking> {
  const parameters = [
    calendar.id,
    typeId,
    isFeatureInDefaultPlan(deps, 'paypal'),
    new Date(deps.now()),
    calendar.host_id,
  ]
  const [row] = await lockTypeAndLocation(trx, parameters)
  if (row === undefined) throw new Error('this statement has one row')
  return { calendar, ...toLocked(row, typeId) }
}

type LockedRow = {
  /** The type's name; null when the type does not exist. Then the next ten columns are null too. */
  readonly type_name: string | null
  readonly duration: number
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly seats: number | null
  readonly price_cents: number | null
  readonly fee_note: string | null
  readonly is_online: boolean
  readonly payment_required: boolean
  readonly policy: Policy | null
  readonly series_rule: CustomerSeriesRule | null
  /** The location's id; null when the appointment has no location. Then the next three columns are null too. */
  readonly location_id: string | null
  readonly location_name: string
  readonly address: string | null
  readonly locked_location_id: string | null
  readonly has_types: boolean
  readonly has_questions: boolean
  readonly provider_connected: boolean
  readonly reads_external_calendars: boolean
  readonly has_other_calendars: boolean
  readonly has_unkept_offers: boolean
  readonly is_location_shared: boolean
  readonly last_reference: string | null
  readonly last_client_id: string | null
}

const HAS_PAYPAL = isFeatureInPlanSql('paypal', {
  calendarId: '$1',
  isInDefault: '$3::boolean',
  now: '$4::timestamptz',
})

/**
 * One statement takes all locks in a fixed order. PostgreSQL never inlines a CTE that locks rows, so each CTE waits for
 * the CTE that it selects from.
 */
const lockTypeAndLocation = prepareStatement<LockedRow>(
  'lock-type-and-location',
  `with booked_type as (
    select name, duration, prepare_minutes, wrap_up_minutes, seats, price_cents, fee_note, is_online, location_id,
      payment_required, policy, series_rule
    from appointment_types
    where calendar_id = $1::uuid and id = $2::uuid for share
  ), location as (
    select id, name, address, type = 'physical' and exclusive as is_exclusive from locations
    where id = (
        select ${locationIdSql('$1', 'booked_type')} from (select) as one_row left join booked_type on true
      )
    for share
  ), locked as (
    select id, ${lockingLocation('id::text')} from location where is_exclusive
  ), person as (
    select ${lockPersonSql('$5::uuid')} from (select) as one_row left join locked on true
  )
  select booked_type.name as type_name, duration, prepare_minutes, wrap_up_minutes, seats, price_cents, fee_note, is_online,
    payment_required, policy, series_rule,
    location.id as location_id, location.name as location_name, address, locked.id as locked_location_id,
    exists (select from appointment_types where calendar_id = $1) as has_types,
    exists (select from questions where calendar_id = $1) as has_questions,
    exists (
      select from payment_settings where calendar_id = $1 and (stripe_connected or paypal_connected and ${HAS_PAYPAL})
    ) as provider_connected,
    ${readsExternalCalendarSql('$5::uuid')} as reads_external_calendars,
    exists (select from calendars where host_id = $5::uuid and id <> $1) as has_other_calendars,
    exists (
      select from waiting_offers
      where calendar_id in (select id from calendars where host_id = $5::uuid)
        and state = 'open' and held_appointment_id is null
    ) as has_unkept_offers,
    exists (
      select from calendar_locations where location_id = location.id and calendar_id <> $1
      union all
      select from appointment_types where location_id = location.id and calendar_id <> $1
    ) as is_location_shared,
    (select max(booking_reference) from appointments where calendar_id = $1) as last_reference,
    (select max(client_id) from customers where calendar_id = $1) as last_client_id
  from (select) as one_row left join booked_type on true left join location on true left join locked on true
    left join person on true`,
)

function toLocked(row: LockedRow, typeId: string | null): Omit<LockedBooking, 'calendar'> {
  return {
    type:
      row.type_name === null || typeId === null
        ? null
        : {
            id: typeId,
            name: row.type_name,
            durationMinutes: row.duration,
            prepareMinutes: row.prepare_minutes,
            wrapUpMinutes: row.wrap_up_minutes,
            seats: row.seats,
            price_cents: row.price_cents,
            fee_note: row.fee_note,
            is_online: row.is_online,
            payment_required: row.payment_required,
            policy: row.policy,
            series_rule: row.series_rule,
          },
    location:
      row.location_id === null
        ? null
        : {
            id: row.location_id,
            name: row.location_name,
            address: row.address,
            isExclusive: row.locked_location_id !== null,
          },
    has_types: row.has_types,
    has_questions: row.has_questions,
    provider_connected: row.provider_connected,
    reads_external_calendars: row.reads_external_calendars,
    isAlone: !row.reads_external_calendars && !row.has_other_calendars,
    has_unkept_offers: row.has_unkept_offers,
    is_location_shared: row.is_location_shared,
    lastReferenceMs: Number(row.last_reference?.slice('BK-'.length) ?? 0),
    lastClientIdMs: Number(row.last_client_id?.slice('C'.length) ?? 0),
  }
}

/**
 * Lists the customers without an email address who have this name, oldest first. Ignores accents, case, spaces and punctuation.
 */
export function listCustomersWithoutEmail(
  trx: Trx,
  { calendarId, name }: { readonly calendarId: string; readonly name: string },
) {
  const letters = (text: ReturnType<typeof sql>) =>
    sql`regexp_replace(search_letters(${text}), '[[:space:][:punct:]]', '', 'g')`
  return trx
    .selectFrom('customers')
    .select(['id', 'name', 'phone'])
    .where('calendar_id', '=', calendarId)
    .where('email', 'is', null)
    .where(sql<boolean>`${letters(sql`name`)} = ${letters(sql`${name}::text`)}`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** True when the calendar with this slug belongs to this owner. False for a visitor who is not logged in. */
export async function isOwnCalendar(db: Db, slug: string, ownerId: OwnerId | null): Promise<boolean> {
  if (ownerId === null) return false
  const row = await db
    .selectFrom('calendars')
    .select('id')
    .where('slug', '=', slug)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * True when the calendar's owner has a session from this client's IP address, which is then assumed to be the owner's
 * workplace. Source: rule H12.
 */
export async function isOwnersClient(db: Db, slug: string, client: Client): Promise<boolean> {
  const sessions = await db
    .selectFrom('calendars')
    .innerJoin('sessions', 'sessions.user_id', 'calendars.user_id')
    .select('sessions.ip_address')
    .where('slug', '=', slug)
    .where('ip_address', 'is not', null)
    .execute()
  return sessions.some(({ ip_address }) => parseClient(ip_address ?? undefined).address === client.address)
}
