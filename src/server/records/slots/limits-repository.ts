import { toDayNumber } from '#core/shared/calendar-date.ts'
import {
  type ApplyingLimit,
  type CountedDay,
  type CountedLimits,
  getCountedDays,
  listMidnights,
  NO_LIMITS,
} from '#core/slots/booking-limits.ts'
import type { DayRange } from '#core/slots/displayed-days.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { HOLDS_TIME, type SchedulingCalendar, type StoredLimit } from './times-repository.ts'

type CountedRow = Omit<CountedDay, 'dayNumber' | 'isOfType'> & {
  /** The place of the day in the list of midnights, from 1. */
  readonly day: number
  readonly is_of_type: boolean
}

const countPerDay = prepareStatement<CountedRow>(
  'counted-per-day',
  `select width_bucket(starts_at, $3::timestamptz[]) as day, appointment_type_id is not distinct from $2::uuid as is_of_type,
    count(*)::integer as appointments, (sum(extract(epoch from ends_at - starts_at)) / 60)::integer as minutes
  from (
    select distinct time_key, starts_at, ends_at, appointment_type_id from appointments
    where calendar_id = $1::uuid and ${HOLDS_TIME} and not is_test
      and starts_at >= $4::timestamptz and starts_at < $5::timestamptz
      and (starts_at is distinct from $6::timestamptz or exists (
        select from group_sessions where calendar_id = $1 and id = session_id and seats_taken > 1
      ))
  ) as counted
  group by 1, 2`,
)

/** Returns the limits of the calendar and those of a type. */
export function listApplyingLimits(limits: readonly StoredLimit[], typeId: string | null): ApplyingLimit[] {
  return limits
    .filter(({ appointment_type_id: id }) => id === null || id === typeId)
    .map(({ appointment_type_id: id, ...limit }) => ({ limit, is_of_type: id !== null }))
}

/**
 * Counts what has been booked towards the limits that apply to a booking on some days. A session counts once. Sends no statement when none applies.
 * JavaScript finds the midnights, so that a start and what is counted have the same time zone data. Source: rule T51.
 */
export async function countTowardsLimits(
  db: Db,
  limits: readonly StoredLimit[],
  booking: {
    readonly calendar: Pick<SchedulingCalendar, 'id' | 'timezone'>
    readonly typeId: string | null
    /** In the calendar's time zone. */
    readonly days: DayRange
    /** The start of the appointment that is being moved, which does not count. Source: rule T52. */
    readonly ownStartMs: number | undefined
  },
): Promise<CountedLimits> {
  const { calendar, typeId, days, ownStartMs } = booking
  const applying = listApplyingLimits(limits, typeId)
  if (applying.length === 0) return NO_LIMITS
  const countedDays = getCountedDays(
    applying.map(({ limit }) => limit),
    days,
  )
  const midnights = listMidnights(countedDays, calendar.timezone).map((ms) => new Date(ms).toISOString())
  const rows = await countPerDay(db, [
    calendar.id,
    typeId,
    midnights,
    midnights[0],
    midnights.at(-1),
    ownStartMs === undefined ? null : new Date(ownStartMs),
  ])
  const firstDay = toDayNumber(countedDays.firstDate)
  return {
    limits: applying,
    counted: rows.map(({ day, is_of_type: isOfType, ...row }) => ({
      ...row,
      dayNumber: firstDay + day - 1,
      isOfType,
    })),
  }
}
