import { sql } from 'kysely'
import { LIMITS } from '#contract/shared/limits.ts'
import { SLOT_SETTING_NAMES, type SlotSettings, toSlotRules } from '#contract/slots/slot-settings.ts'
import type { OpeningHours } from '#core/availability/opening-times.ts'
import type { SpecialDays } from '#core/availability/special-days.ts'
import type { TypeHours } from '#core/availability/type-hours.ts'
import type { WeeklyOpening } from '#core/availability/weekly-opening.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { BookingLimit } from '#core/slots/booking-limits.ts'
import type { BookingWindow } from '#core/slots/booking-window.ts'
import { OWNERS_WORK_LIMITS, type OwnersWork } from '#core/slots/occupied-time.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import type { StartPattern } from '#core/slots/start-pattern.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { IS_PAUSED_SQL } from '#server/records/calendars/plan-repository.ts'
import { hasUncheckedExternalCalendarSql, selectExternalBusyTimes } from './external-repository.ts'

/** All data that decide which times are free. */
export type SchedulingTimes = OpeningHours &
  TypeHours &
  StartPattern & {
    /**
     * Busy intervals in order: appointments of the calendar, appointments of its person on other calendars, and events of
     * external calendars. Appointments are busy from their preparation to their wrap-up. Cancelled appointments and
     * expired holds are left out. Where another calendar has a larger buffer, its appointments are widened by the
     * difference on both sides. Source: rules T11, T39, T46 and G6.
     */
    readonly busy: readonly Interval[]
    /**
     * Intervals in which other calendars occupy the exclusive location. They include appointments booked before the
     * location became exclusive, which the exclusion constraint may not cover. Source: rule T15.
     */
    readonly locationBusy: readonly Interval[]
    /** True when an external calendar cannot be checked and the owner wants no times offered then. Source: rule G8. */
    readonly isUnchecked: boolean
    /** The limits of the calendar and of all its types. Source: rule T51. */
    readonly bookingLimits: readonly StoredLimit[]
    /** The booking window of the type; null when it has its calendar's. Source: rule T69. */
    readonly typeWindow: BookingWindow | null
  }

/** A limit, with the type whose appointments it counts; null when it counts all of the calendar. */
export type StoredLimit = BookingLimit & { readonly appointment_type_id: string | null }

/** SQL that is true when an appointment takes its time. Source: rule T11. */
export const HOLDS_TIME = `status <> 'cancelled' and released_at is null`

/** The values of a query; each string is SQL. */
type TimesArguments = {
  readonly calendarId: string
  readonly locationId: string
  /** The type whose own hours count; null for none. */
  readonly typeId: string
  readonly from: string
  readonly until: string
  /**
   * The current time. Null skips external calendars and other calendars; use null only for a calendar known to have
   * neither.
   */
  readonly now: string | null
}

/**
 * SQL for the times within `[from, until)` when the person is busy on their other calendars. The larger of the two
 * buffers has to stay free. The slot search already applies this calendar's buffer, so this adds only the difference.
 */
function selectPersonsTimes({
  calendarId,
  from,
  until,
}: Omit<TimesArguments, 'locationId' | 'typeId' | 'now'>): string {
  return `select lower(occupied) - more.buffer as starts_at, upper(occupied) + more.buffer as ends_at
      from calendars as own
      join calendars as others on others.host_id = own.host_id and others.id <> own.id
      cross join lateral (
        select make_interval(mins => greatest(others.buffer_time_minutes - own.buffer_time_minutes, 0)) as buffer
      ) as more
      join appointments on appointments.calendar_id = others.id
      where own.id = ${calendarId} and ${HOLDS_TIME}
        and ${isOccupiedWithin(`${from} - more.buffer`, `${until} + more.buffer`)}`
}

/** SQL that is true when an appointment occupies time within `[from, until)`. */
export function isOccupiedWithin(from: string, until: string): string {
  // The bounds of the start follow from the others, because the length of an appointment and the work around it are
  // limited. They let PostgreSQL use an index on the start.
  return `lower(occupied) < ${until} and upper(occupied) > ${from}
    and starts_at < ${until} + interval '${OWNERS_WORK_LIMITS.minutes} minutes'
    and starts_at > ${from} - interval '${LIMITS.typeDurationMax + OWNERS_WORK_LIMITS.minutes} minutes'`
}

/**
 * SQL for `SchedulingTimes`. Each list is one array value, because reading rows would take the driver longer than
 * everything else. The arguments are SQL; a null location matches no appointments.
 */
function selectTimes({ calendarId, locationId, typeId, from, until, now }: TimesArguments): string {
  const during = isOccupiedWithin(from, until)
  const elsewhere =
    now === null
      ? { orTaken: '', isUnchecked: 'false' }
      : {
          orTaken: `union all ${selectPersonsTimes({ calendarId, from, until })}
            union all ${selectExternalBusyTimes(calendarId, from, until)}`,
          isUnchecked: hasUncheckedExternalCalendarSql(calendarId, now),
        }
  return `
    ${selectOpeningHours({ calendarId, from, until })},
    (select ${weeklyOpenings()} from type_hours
      where calendar_id = ${calendarId} and appointment_type_id = ${typeId}
    ) as type_openings,
    (select json_build_object(
        'stepMinutes', start_step_minutes, 'isPacked', is_packed, 'typeWindow', booking_window
      )
      from appointment_types where calendar_id = ${calendarId} and id = ${typeId}
    ) as type_rules,
    (select ${intervals()} from (
      select lower(occupied) as starts_at, upper(occupied) as ends_at from appointments
      where calendar_id = ${calendarId} and ${HOLDS_TIME} and ${during}
      ${elsewhere.orTaken}
      order by starts_at
    ) as held) as busy,
    (select ${intervals()} from (
      select lower(occupied) as starts_at, upper(occupied) as ends_at from appointments
      where conflict_location_id = ${locationId} and calendar_id <> ${calendarId} and ${HOLDS_TIME}
        and occupied && tstzrange(${from}, ${until})
      union all
      select lower(occupied) as starts_at, upper(occupied) as ends_at from appointments
      where location_id = ${locationId} and conflict_location_id is null and calendar_id <> ${calendarId}
        and not is_online and ${HOLDS_TIME} and ${during}
      order by starts_at
    ) as held) as location_busy,
    ${elsewhere.isUnchecked} as is_unchecked,
    (select json_agg(json_build_object(
        'appointment_type_id', appointment_type_id, 'period', period, 'unit', unit, 'most', most
      )) from booking_limits where calendar_id = ${calendarId}
    ) as booking_limits`
}

/**
 * SQL for the opening hours of a calendar as arrays: the weekly openings, and the special days relevant to an interval.
 * Each opening of a special day has one element in the arrays; a closed day has one opening of zero length.
 *
 * Three days before and after the interval are enough: a local date begins up to 14 hours before the UTC date, and an
 * appointment can start the day before and end the day after.
 */
function selectOpeningHours({
  calendarId,
  from,
  until,
}: Pick<TimesArguments, 'calendarId' | 'from' | 'until'>): string {
  const dayOf = (instant: string, days: number) => `((${instant} at time zone 'UTC')::date + ${days})`
  const dayNumbers = (column: string) => `array_agg((${column} - date '1970-01-01')::bigint)`
  return `
    (select ${weeklyOpenings()} from availability where calendar_id = ${calendarId}) as openings,
    (select array[
        ${dayNumbers('first_date')}, ${dayNumbers('last_date')}, ${seconds('start_time')}, ${seconds('end_time')}
      ]::text from special_days
      left join special_hours on special_hours.calendar_id = special_days.calendar_id
        and special_hours.special_days_id = special_days.id
      where special_days.calendar_id = ${calendarId}
        and daterange(first_date, last_date, '[]') && daterange(${dayOf(from, -3)}, ${dayOf(until, 3)}, '[]')
    ) as special_days`
}

function weeklyOpenings(): string {
  return `array[array_agg(day_of_week::bigint), ${seconds('start_time')}, ${seconds('end_time')}]::text`
}

function seconds(column: string): string {
  return `array_agg(coalesce(extract(epoch from ${column}), 0)::bigint)`
}

function intervals(): string {
  const epochMs = (column: string) => `array_agg((date_part('epoch', ${column}) * 1000)::bigint)`
  return `array[${epochMs('starts_at')}, ${epochMs('ends_at')}]::text`
}

type HoursRow = { readonly openings: string; readonly special_days: string }

type TimesRow = HoursRow & {
  readonly type_openings: string
  /** Null when no type was requested or the calendar has no such type. */
  readonly type_rules: (StartPattern & Pick<SchedulingTimes, 'typeWindow'>) | null
  readonly busy: string
  readonly location_busy: string
  readonly is_unchecked: boolean
  readonly booking_limits: StoredLimit[] | null
}

const DURING = { from: '$3::timestamptz', until: '$4::timestamptz' }

const PLACE = { calendarId: '$1::uuid', locationId: '$2::uuid', typeId: '$5::uuid' }

const selectTimesRow = prepareStatement<TimesRow>(
  'times',
  `select ${selectTimes({ ...PLACE, ...DURING, now: '$6::timestamptz' })}`,
)

const selectOwnTimesRow = prepareStatement<TimesRow>(
  'times-of-calendar-alone',
  `select ${selectTimes({ ...PLACE, ...DURING, now: null })}`,
)

/**
 * Loads the busy times of a calendar, and of the exclusive location if there is one, within `during`.
 *
 * Pass `isAlone` only if the calendar is known to read no external calendar and its person to have no other calendar.
 * Then a smaller statement runs: PostgreSQL sets up every part of a plan each time, even parts that find nothing
 * (decision 31).
 */
export async function findSchedulingTimes(
  db: Db,
  {
    calendarId,
    locationId,
    typeId,
    during,
    nowMs,
    isAlone = false,
  }: {
    calendarId: string
    locationId: string | null
    typeId: string | null
    during: Interval
    nowMs: number
    isAlone?: boolean | undefined
  },
): Promise<SchedulingTimes> {
  const place = [calendarId, locationId, ...toParameters(during), typeId]
  const [row] = isAlone
    ? await selectOwnTimesRow(db, place)
    : await selectTimesRow(db, [...place, new Date(nowMs)])
  if (row === undefined) throw new Error('a select without from has one row')
  return toTimes(row)
}

const selectHoursRows = prepareStatement<HoursRow & { readonly calendar_id: string }>(
  'opening-hours',
  `select own.id as calendar_id,
    ${selectOpeningHours({ calendarId: 'own.id', from: '$2::timestamptz', until: '$3::timestamptz' })}
  from unnest($1::uuid[]) as own (id)`,
)

/** Returns the opening hours of each calendar that are relevant to `during`, by the calendar's id. */
export async function listOpeningHours(
  db: Db,
  calendarIds: readonly string[],
  during: Interval,
): Promise<Map<string, OpeningHours>> {
  const rows = await selectHoursRows(db, [calendarIds, ...toParameters(during)])
  return new Map(rows.map((row) => [row.calendar_id, toOpeningHours(row)]))
}

/** All data for computing the open times of a calendar. */
export type SlotInputs = {
  readonly calendar: SchedulingCalendar
  /** The time that the requested type takes; null when none was requested or the calendar has no such type. */
  readonly typeTime: TypeTime | null
  readonly times: SchedulingTimes
  /** True when customers read how many seats are left. Source: rule B53. */
  readonly showsSeats: boolean
  /** True when the calendar takes no new bookings. Source: rule S13. */
  readonly isPaused: boolean
}

/** The time that an appointment of a type takes. */
export type TypeTime = OwnersWork & {
  readonly durationMinutes: number
  /** The seats of its sessions; null when the appointment has its time for itself. Source: rule B50. */
  readonly seats: number | null
}

type TypeRow = {
  /** Null when there is no such type. Then the next two columns are null too. */
  readonly duration: number | null
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly seats: number | null
}

const TYPE_COLUMNS = 'types.duration, types.prepare_minutes, types.wrap_up_minutes, types.seats'

function toTypeTime({ duration, prepare_minutes, wrap_up_minutes, seats }: TypeRow): TypeTime | null {
  if (duration === null) return null
  return { durationMinutes: duration, prepareMinutes: prepare_minutes, wrapUpMinutes: wrap_up_minutes, seats }
}

type FactsRow = SchedulingRow &
  TimesRow &
  TypeRow & { readonly shows_seats: boolean | null; readonly is_paused: boolean }

/**
 * SQL for the location id of an appointment: the type's location, or else the calendar's primary location; null for an
 * online type (rule T14). The arguments are SQL: the calendar's id, and a row of `appointment_types` or of nulls.
 */
export function locationIdSql(calendarId: string, type: string): string {
  return `case when ${type}.is_online is not true then coalesce(${type}.location_id, (
      select location_id from calendar_locations where calendar_id = ${calendarId} and is_primary
    )) end`
}

/**
 * SQL for the tables of the query. `$2` is the type's id. `places` is the location if it is exclusive, otherwise null.
 */
const FROM_CALENDARS = `
  from calendars
  left join appointment_types as types on types.calendar_id = calendars.id and types.id = $2::uuid
  left join locations as places on places.type = 'physical' and places.exclusive
    and places.id = ${locationIdSql('calendars.id', 'types')}`

/** SQL for all slot facts. Parameters: slug, type id, start and end of the interval, and the current time. */
export const SLOT_INPUTS_SQL = `
  select calendars.id, timezone, hour_cycle, ${IS_PAUSED_SQL} as is_paused, ${SLOT_SETTING_NAMES.map((name) => `calendars.${name}`).join(', ')},
    ${TYPE_COLUMNS}, types.shows_seats,
    ${selectTimes({
      calendarId: 'calendars.id',
      locationId: 'places.id',
      typeId: '$2::uuid',
      ...DURING,
      now: '$5::timestamptz',
    })}
  ${FROM_CALENDARS}
  where slug = $1`

const selectFactsRow = prepareStatement<FactsRow>('slot-facts', SLOT_INPUTS_SQL)

/**
 * Loads everything that determines the slots of a public calendar within `during`, in one query. Null when the slug is
 * unknown.
 */
export async function findSlotInputs(
  db: Db,
  { slug, typeId, during, nowMs }: { slug: string; typeId: string | null; during: Interval; nowMs: number },
): Promise<SlotInputs | null> {
  const [row] = await selectFactsRow(db, [slug, typeId, ...toParameters(during), new Date(nowMs)])
  if (row === undefined) return null
  return {
    calendar: toSchedulingCalendar(row),
    typeTime: toTypeTime(row),
    times: toTimes(row),
    showsSeats: row.shows_seats === true,
    isPaused: row.is_paused,
  }
}

/** The time and the exclusive location that a type needs. */
type TypeRequirements = {
  /** Null when no type was requested or the calendar has no such type. */
  readonly typeTime: TypeTime | null
  readonly conflictLocationId: string | null
}

const selectTaken = prepareStatement<TypeRow & { readonly location_id: string | null }>(
  'taken-by-type',
  `select ${TYPE_COLUMNS}, places.id as location_id ${FROM_CALENDARS}
  where calendars.id = $1`,
)

/**
 * Finds the time and location that an appointment needs, with or without a type. Null when the calendar does not
 * exist.
 */
export async function findTypeRequirements(
  db: Db,
  calendarId: string,
  typeId: string | null,
): Promise<TypeRequirements | null> {
  const [row] = await selectTaken(db, [calendarId, typeId])
  return row === undefined ? null : { typeTime: toTypeTime(row), conflictLocationId: row.location_id }
}

function toParameters({ startMs, endMs }: Interval): [from: Date, until: Date] {
  return [new Date(startMs), new Date(endMs)]
}

function toTimes(row: TimesRow): SchedulingTimes {
  return {
    ...toOpeningHours(row),
    typeOpenings: toWeeklyOpenings(row.type_openings),
    typeWindow: null,
    ...row.type_rules,
    busy: toIntervals(row.busy),
    locationBusy: toIntervals(row.location_busy),
    isUnchecked: row.is_unchecked,
    bookingLimits: row.booking_limits ?? [],
  }
}

function toOpeningHours(row: HoursRow): OpeningHours {
  return { openings: toWeeklyOpenings(row.openings), specialDays: toSpecialDays(row.special_days) }
}

function toWeeklyOpenings(text: string): WeeklyOpening[] {
  const [weekdays = [], starts = [], ends = []] = toLists(text)
  return weekdays.map((dayOfWeek, i) => ({
    dayOfWeek,
    startSeconds: starts[i] ?? 0,
    endSeconds: ends[i] ?? 0,
  }))
}

function toSpecialDays(text: string): SpecialDays[] {
  const [firstDays = [], lastDays = [], starts = [], ends = []] = toLists(text)
  const rows = firstDays.map((firstDay, i) => ({
    firstDay,
    lastDay: lastDays[i] ?? firstDay,
    hours: { startSeconds: starts[i] ?? 0, endSeconds: ends[i] ?? 0 },
  }))
  // Group by the date: two special-days entries of a calendar never start on the same date, so it identifies the entry.
  // Source: rule T34.
  return [...Map.groupBy(rows, ({ firstDay }) => firstDay)].map(([firstDay, ofDays]) => ({
    firstDay,
    lastDay: ofDays[0]?.lastDay ?? firstDay,
    hours: ofDays.map(({ hours }) => hours),
  }))
}

function toIntervals(text: string): Interval[] {
  const [starts = [], ends = []] = toLists(text)
  return starts.map((startMs, i) => ({ startMs, endMs: ends[i] ?? startMs }))
}

/** Parses a PostgreSQL array such as `{{1,2},{3,4}}`; an empty list is `{}`. */
function toLists(text: string): number[][] {
  return JSON.parse(text.replaceAll('{', '[').replaceAll('}', ']')) // The query casts its values to numbers.
}

/** The facts about a calendar that the slot search needs. */
export type SchedulingCalendar = SchedulingColumns & { readonly rules: SlotRules }

/** Returns the scheduling facts of a calendar; null when the slug is unknown. */
export async function findSchedulingCalendar(db: Db, slug: string): Promise<SchedulingCalendar | null> {
  const row = await db
    .selectFrom('calendars')
    .select(['id', 'timezone', 'hour_cycle', ...SLOT_SETTING_NAMES])
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row === undefined ? null : toSchedulingCalendar(row)
}

/** Finds the note to customers of the special days on a date of the calendar's zone. Source: rule T59. */
export async function findPublicNote(
  db: Db,
  { slug, date }: { readonly slug: string; readonly date: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('special_days')
    .innerJoin('calendars', 'calendars.id', 'special_days.calendar_id')
    .select('public_note')
    .where('slug', '=', slug)
    .where(sql<boolean>`${date}::date between first_date and last_date`)
    .executeTakeFirst()
  return row?.public_note ?? null
}

/** Special days, as their owner reads them in a sentence. */
export type SpecialDayLabel = {
  /** The owner's note, or else the one to customers. A closed holiday has its name as note (rule T58). */
  readonly note: string | null
  /** The hours of the day, sorted by start; none on a closed day. */
  readonly hours: { readonly start_time: string; readonly end_time: string }[]
}

/** Finds the special days on a date of the calendar's zone. */
export async function findSpecialDay(
  db: Db,
  { calendarId, date }: { readonly calendarId: string; readonly date: string },
): Promise<SpecialDayLabel | null> {
  const row = await db
    .selectFrom('special_days')
    .select([
      sql<string | null>`coalesce(note, public_note)`.as('note'),
      sql<SpecialDayLabel['hours']>`(
        select coalesce(json_agg(
            json_build_object('start_time', start_time, 'end_time', end_time) order by start_time
          ), '[]')
        from special_hours
        where special_hours.calendar_id = special_days.calendar_id and special_days_id = special_days.id
      )`.as('hours'),
    ])
    .where('calendar_id', '=', calendarId)
    .where(sql<boolean>`${date}::date between first_date and last_date`)
    .executeTakeFirst()
  return row ?? null
}

type SchedulingColumns = { readonly id: string; readonly timezone: string; readonly hour_cycle: HourCycle }
type SchedulingRow = SlotSettings & SchedulingColumns

function toSchedulingCalendar(row: SchedulingRow): SchedulingCalendar {
  return { id: row.id, timezone: row.timezone, hour_cycle: row.hour_cycle, rules: toSlotRules(row) }
}
