import type { OverlappingAppointment } from '#contract/calendars/people.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** A conflicting appointment on a calendar of the same person, as the owner sees it. */
type Conflict = {
  readonly appointment: OverlappingAppointment
  readonly time: Interval
  /** The larger of the two calendars' buffers, in minutes. Source: rule T39. */
  readonly bufferMinutes: number
}

type ConflictRow = Omit<OverlappingAppointment, 'starts_at' | 'ends_at'> & {
  readonly starts_at: Date
  readonly ends_at: Date
  readonly buffer_minutes: number
}

const selectConflict = prepareStatement<ConflictRow>(
  'conflicting-appointment',
  `select appointments.id, theirs.id as calendar_id, theirs.name as calendar_name, customer_name, title, starts_at, ends_at,
    theirs.timezone as time_zone, theirs.hour_cycle, larger.minutes as buffer_minutes
  from calendars as own
  join calendars as theirs on theirs.host_id = own.host_id
  cross join lateral (select greatest(theirs.buffer_time_minutes, own.buffer_time_minutes) as minutes) as larger
  join appointments on appointments.calendar_id = theirs.id and status <> 'cancelled' and released_at is null
    and appointments.id is distinct from $4::uuid
    and starts_at < $3::timestamptz + make_interval(mins => larger.minutes)
    and ends_at > $2::timestamptz - make_interval(mins => larger.minutes)
    and starts_at > $2::timestamptz - make_interval(mins => larger.minutes + ${LIMITS.typeDurationMax})
  where own.id = $1::uuid
  order by starts_at < $3 and ends_at > $2 desc, starts_at, appointments.id
  limit 1`,
)

/**
 * Finds an appointment on a calendar of the same person that conflicts with a time: preferably an appointment that overlaps
 * it, otherwise an appointment whose buffer reaches into it. `movedId` is the appointment being moved, which never conflicts with itself.
 * Source: rule T43.
 */
export async function findConflictingAppointment(
  db: Db,
  {
    calendarId,
    time,
    movedId = null,
  }: { readonly calendarId: string; readonly time: Interval; readonly movedId?: string | null },
): Promise<Conflict | null> {
  const [row] = await selectConflict(db, [calendarId, new Date(time.startMs), new Date(time.endMs), movedId])
  if (row === undefined) return null
  const { starts_at, ends_at, buffer_minutes: bufferMinutes, ...named } = row
  return {
    appointment: { ...named, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
    time: { startMs: starts_at.getTime(), endMs: ends_at.getTime() },
    bufferMinutes,
  }
}
