import { LIMITS } from '#contract/shared/limits.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** A conflicting appointment on another calendar of the same person, as the owner sees it. */
type AppointmentOnOtherCalendar = {
  readonly id: string
  readonly calendar_id: string
  readonly calendar_name: string
  readonly customer_name: string
  readonly title: string
  readonly starts_at: Date
  readonly ends_at: Date
  /** The time zone of that calendar. */
  readonly time_zone: string
  readonly hour_cycle: HourCycle
  /** The larger of the two calendars' buffers, in minutes. Source: rule T39. */
  readonly buffer_minutes: number
  /** True when an appointment on the calendar itself also overlaps the time. */
  readonly is_taken_here: boolean
}

const selectElsewhere = prepareStatement<AppointmentOnOtherCalendar>(
  'appointment-elsewhere',
  `select appointments.id, others.id as calendar_id, others.name as calendar_name, customer_name, title, starts_at, ends_at,
    others.timezone as time_zone, others.hour_cycle, larger.minutes as buffer_minutes,
    exists (
      select from appointments as here
      where here.calendar_id = own.id and here.status <> 'cancelled' and here.released_at is null
        and here.id is distinct from $4::uuid
        and here.starts_at < $3::timestamptz and here.ends_at > $2::timestamptz
        and here.starts_at > $2::timestamptz - interval '${LIMITS.typeDurationMax} minutes'
    ) as is_taken_here
  from calendars as own
  join calendars as others on others.host_id = own.host_id and others.id <> own.id
  cross join lateral (select greatest(others.buffer_time_minutes, own.buffer_time_minutes) as minutes) as larger
  join appointments on appointments.calendar_id = others.id and status <> 'cancelled' and released_at is null
    and starts_at < $3::timestamptz + make_interval(mins => larger.minutes)
    and ends_at > $2::timestamptz - make_interval(mins => larger.minutes)
    and starts_at > $2::timestamptz - make_interval(mins => larger.minutes + ${LIMITS.typeDurationMax})
  where own.id = $1::uuid
  order by starts_at < $3 and ends_at > $2 desc, starts_at, appointments.id
  limit 1`,
)

/**
 * Finds an appointment on another calendar of the same person that conflicts with a time: preferably one that overlaps
 * it, otherwise one whose buffer reaches into it. `movedId` is the appointment being moved, which never conflicts with
 * itself. Source: rule T43.
 */
export async function findConflictOnOtherCalendar(
  db: Db,
  {
    calendarId,
    time,
    movedId = null,
  }: { readonly calendarId: string; readonly time: Interval; readonly movedId?: string | null },
): Promise<AppointmentOnOtherCalendar | null> {
  const [row] = await selectElsewhere(db, [calendarId, new Date(time.startMs), new Date(time.endMs), movedId])
  return row ?? null
}
