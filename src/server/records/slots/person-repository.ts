import type { OverlappingAppointment } from '#contract/calendars/people.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import type { OverlapReason } from '#core/slots/explain-start.ts'
import { toOccupiedTime } from '#core/slots/occupied-time.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { HOLDS_TIME, isOccupiedWithin } from './times-repository.ts'

/** A conflicting appointment on a calendar of the same person, as the owner sees it. */
type Conflict = {
  readonly appointment: OverlappingAppointment
  /** What of it conflicts: its time itself, its preparation or wrap-up (or those of the other time), or only the buffer. */
  readonly reason: OverlapReason
  /** The larger of the two calendars' buffers, in minutes. Source: rule T39. */
  readonly bufferMinutes: number
}

type ConflictRow = Omit<OverlappingAppointment, 'starts_at' | 'ends_at'> & {
  readonly starts_at: Date
  readonly ends_at: Date
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly buffer_minutes: number
}

const selectConflict = prepareStatement<ConflictRow>(
  'conflicting-appointment',
  `select appointments.id, theirs.id as calendar_id, theirs.name as calendar_name, customer_name, title, starts_at, ends_at,
    prepare_minutes, wrap_up_minutes, theirs.timezone as time_zone, theirs.hour_cycle, larger.minutes as buffer_minutes
  from calendars as own
  join calendars as theirs on theirs.host_id = own.host_id
  cross join lateral (select greatest(theirs.buffer_time_minutes, own.buffer_time_minutes) as minutes) as larger
  join appointments on appointments.calendar_id = theirs.id and ${HOLDS_TIME}
    and time_key is distinct from (select time_key from appointments where calendar_id = $1::uuid and id = $2::uuid)
    and ${isOccupiedWithin(
      '$5::timestamptz - make_interval(mins => larger.minutes)',
      '$6::timestamptz + make_interval(mins => larger.minutes)',
    )}
  where own.id = $1::uuid
  order by starts_at < $4::timestamptz and ends_at > $3::timestamptz desc, starts_at, appointments.id
  limit 1`,
)

/**
 * Finds an appointment on a calendar of the same person that conflicts with a time: preferably an appointment that overlaps
 * it, otherwise an appointment that leaves no time for preparation, wrap-up or the buffer. `movedId` is the appointment being
 * moved, which never conflicts with itself, nor with the other seats of its session. Source: rule T43.
 */
export async function findConflictingAppointment(
  db: Db,
  {
    calendarId,
    time,
    occupied,
    movedId = null,
  }: {
    readonly calendarId: string
    readonly time: Interval
    /** The time with its preparation and wrap-up. */
    readonly occupied: Interval
    readonly movedId?: string | null
  },
): Promise<Conflict | null> {
  const instants = [time.startMs, time.endMs, occupied.startMs, occupied.endMs].map((ms) => new Date(ms))
  const [row] = await selectConflict(db, [calendarId, movedId, ...instants])
  if (row === undefined) return null
  const {
    starts_at,
    ends_at,
    prepare_minutes,
    wrap_up_minutes,
    buffer_minutes: bufferMinutes,
    ...named
  } = row
  const taken = { startMs: starts_at.getTime(), endMs: ends_at.getTime() }
  const work = { prepareMinutes: prepare_minutes, wrapUpMinutes: wrap_up_minutes }
  return {
    appointment: { ...named, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
    reason: findOverlap({ time, occupied }, { time: taken, occupied: toOccupiedTime(taken, work) }),
    bufferMinutes,
  }
}

type TimeWithWork = { readonly time: Interval; readonly occupied: Interval }

function findOverlap(a: TimeWithWork, b: TimeWithWork): OverlapReason {
  if (overlaps(a.time, b.time)) return 'busy'
  return overlaps(a.occupied, b.occupied) ? 'preparation' : 'buffer'
}
