import { sql } from 'kysely'
import type { UtcOffsetPeriod } from '#core/appointments/utc-offset-periods.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInOwnCalendars, type OwnCalendars } from '#server/platform/db/in-calendars.ts'

/** The appointments to evaluate: those that begin within `during`, at most the latest `limit`. */
type Range = {
  readonly during: Interval
  /** Periods of constant UTC offset that together cover `during`. */
  readonly stretches: readonly UtcOffsetPeriod[]
  readonly limit: number
}

/** SQL condition that excludes expired and unpaid holds, which are not appointments yet, and test appointments. Source: rules N2 and U34. */
const COUNTED = sql`released_at is null and not is_test and not (status = 'pending_payment' and hold_expires_at is not null)`

type Counts = { readonly stands: number; readonly cancelled: number }
type Row = Counts & {
  readonly grouped: number
  readonly month: string
  readonly currency: string
  readonly outstandingCents: number
  /**
   * `begun` is the number of appointments that have begun and were not cancelled; `noShows` is the number of no-shows
   * among them. Their prices are in minor units.
   */
  readonly begun: number
  readonly noShows: number
  readonly noShowPaidCents: number
  readonly noShowUnpaidCents: number
  readonly name: string | null
  readonly dayOfWeek: number
  readonly hour: number
  readonly band: number
}

/**
 * PostgreSQL's `grouping` value of each of the four groupings. It has one bit for each of month, type, weekday and
 * band; the bit is set when the rows are not grouped by that column.
 */
const GROUPED = { months: 0b0111, types: 0b1011, hours: 0b1101, leads: 0b1110 } as const

/**
 * Counts kept and cancelled appointments: by month and currency, by type, by weekday and hour, and by how long in
 * advance they were booked. Also counts no-shows among those that have begun. One query reads each appointment once.
 * `bandStarts` are in hours. Source: rules N1 to N3, N6 and N9.
 */
export async function countAppointments(
  db: Db,
  scope: OwnCalendars,
  range: Range,
  { bandStarts, now }: { readonly bandStarts: readonly number[]; readonly now: Date },
): Promise<{ months: Row[]; types: Row[]; hours: Row[]; leads: Row[] }> {
  const { rows } = await sql<Row>`
    with placed as (
      select
        to_char(local_start, 'YYYY-MM') as month, upper(currency) as currency, appointment_type_name as type,
        extract(dow from local_start)::integer as weekday, extract(hour from local_start)::integer as hour,
        width_bucket(extract(epoch from starts_at - created_at)::float8 / 3600, ${[...bandStarts]}::float8[]) as band,
        status, case when payment_status = 'pending' and price_cents > 0 then price_cents else 0 end as owed,
        case when payment_status = 'paid' then price_cents end as paid,
        status <> 'cancelled' and starts_at <= ${now} as has_begun, status <> 'cancelled' and no_show_at is not null as is_no_show
      from (${placed(scope, range)}) as read
    )
    select
      grouping(month, type, weekday, band) as grouped, month, currency, type as name, weekday as "dayOfWeek", hour, band,
      count(*) filter (where status <> 'cancelled')::integer as stands,
      count(*) filter (where status = 'cancelled')::integer as cancelled,
      coalesce(sum(owed) filter (where status <> 'cancelled'), 0)::float8 as "outstandingCents",
      count(*) filter (where has_begun)::integer as begun, count(*) filter (where is_no_show)::integer as "noShows",
      coalesce(sum(paid) filter (where is_no_show), 0)::float8 as "noShowPaidCents",
      coalesce(sum(owed) filter (where is_no_show), 0)::float8 as "noShowUnpaidCents"
    from placed
    group by grouping sets ((month, currency), (type), (weekday, hour), (band))
    order by month, weekday, hour, band`.execute(db)
  const of = (group: keyof typeof GROUPED) => rows.filter(({ grouped }) => grouped === GROUPED[group])
  return { months: of('months'), types: of('types'), hours: of('hours').filter(hasAny), leads: of('leads') }
}

function hasAny({ stands }: Counts): boolean {
  return stands > 0
}

/**
 * Counts the customers with an appointment in each month, separately for first-time customers and for those who had an
 * appointment in an earlier month. Source: rule N5.
 */
export async function countCustomers(
  db: Db,
  scope: OwnCalendars,
  range: Range,
): Promise<{ month: string; firstTime: number; returning: number }[]> {
  const { rows } = await sql<{ month: string; firstTime: number; returning: number }>`
    with visits as (
      -- What began before the months that are asked for has an empty month, which is before all others.
      select distinct customer_id, coalesce(to_char(local_start, 'YYYY-MM'), '') as month
      from (${placed(scope, { ...range, during: { ...range.during, startMs: 0 } })}) as read
      where status <> 'cancelled'
    ), known as (
      select month, min(month) over (partition by customer_id) as first_month from visits
    )
    select
      month,
      count(*) filter (where month = first_month)::integer as "firstTime",
      count(*) filter (where month > first_month)::integer as returning
    from known
    where month <> ''
    group by month`.execute(db)
  return rows
}

/**
 * SQL for the latest appointments of the range, with their start in the calendar's local time; the start is null
 * outside the given stretches. Avoids a join of appointments with itself, which PostgreSQL plans badly before the
 * tables are analyzed.
 */
function placed(scope: OwnCalendars, { during, stretches, limit }: Range) {
  const starts = stretches.map(({ startMs }) => new Date(startMs).toISOString())
  const ends = stretches.map(({ endMs }) => new Date(endMs).toISOString())
  const offsets = stretches.map(({ offsetMs }) => offsetMs / 1_000)
  return sql`
    select latest.*, (latest.starts_at at time zone 'UTC') + make_interval(secs => stretch.offset_s) as local_start
    from (
      select customer_id, starts_at, created_at, status, payment_status, price_cents, currency, appointment_type_name,
        no_show_at
      from appointments
      where ${isInOwnCalendars(sql`calendar_id`, scope)}
        and ${COUNTED}
        and starts_at >= ${new Date(during.startMs)} and starts_at < ${new Date(during.endMs)}
      order by starts_at desc
      limit ${sql.lit(limit)}
    ) as latest
    left join unnest(${starts}::timestamptz[], ${ends}::timestamptz[], ${offsets}::float8[])
      as stretch (starts_at, ends_at, offset_s)
      on latest.starts_at >= stretch.starts_at and latest.starts_at < stretch.ends_at`
}

/** Sums the minutes of appointments and sessions within opening hours, by the date of the opening. Source: rule N4. */
export async function listBookedMinutes(
  db: Db,
  scope: OwnCalendars,
  openings: readonly (Interval & { readonly date: string; readonly calendarId: string })[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ date: string; minutes: number }>`
    select
      opening.date,
      round(sum(extract(epoch from least(ends_at, closes_at) - greatest(starts_at, opens_at))) / 60)::integer as minutes
    from unnest(
      ${openings.map(({ calendarId }) => calendarId)}::uuid[],
      ${openings.map(({ date }) => date)}::text[],
      ${openings.map(({ startMs }) => new Date(startMs).toISOString())}::timestamptz[],
      ${openings.map(({ endMs }) => new Date(endMs).toISOString())}::timestamptz[]
    ) as opening (calendar_id, date, opens_at, closes_at)
    cross join lateral (
      -- A session counts once. An appointment is at most a day long, so that the index finds where it may begin.
      select distinct time_key, starts_at, ends_at from appointments
      where appointments.calendar_id = opening.calendar_id
        and starts_at > opens_at - interval '24 hours' and starts_at < closes_at and ends_at > opens_at
        and ${isInOwnCalendars(sql`appointments.calendar_id`, scope)} and status <> 'cancelled' and ${COUNTED}
    ) as booked
    group by opening.date`.execute(db)
  return new Map(rows.map(({ date, minutes }) => [date, minutes]))
}
