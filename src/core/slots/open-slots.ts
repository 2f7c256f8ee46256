import type { OpeningHours } from '#core/availability/opening-times.ts'
import { listTypeOpeningIntervals, type TypeHours } from '#core/availability/type-hours.ts'
import { listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { type CountedLimits, listFullDays } from './booking-limits.ts'
import type { BookableDates } from './booking-window.ts'
import { toBusyTimes } from './busy-times.ts'
import type { DayRange } from './displayed-days.ts'
import { OWNERS_WORK_LIMITS, type OwnersWork } from './occupied-time.ts'
import type { MutableOpenDay, OpenDay } from './open-day.ts'
import type { Session } from './sessions.ts'
import { getStartBounds, SLOT_RULE_LIMITS, type SlotRules, type StartBounds } from './slot-rules.ts'
import { addFreeStarts, addOffGridStarts, startSlotScan } from './slot-scan.ts'
import { getStepMs, listPackedStarts, PACKED_STEP_MS, type StartPattern } from './start-pattern.ts'

export type { OpenDay } from './open-day.ts'

export type OpenSlotsQuery = OpeningHours &
  TypeHours &
  StartPattern &
  OwnersWork &
  CountedLimits & {
    /** yyyy-MM-dd in `timeZone`. */
    readonly firstDate: string
    /** 1 to 366. */
    readonly dayCount: number
    /** The calendar's time zone, which defines its openings and dates. */
    readonly timeZone: string
    readonly durationMinutes: number
    readonly rules: Omit<SlotRules, 'window'>
    /** The dates of the booking window. Source: rule T68. */
    readonly bookable: BookableDates
    /**
     * Occupied times of appointments and external events of the calendar, at least those within `getBusyTimeWindow`; unordered, may
     * overlap.
     */
    readonly busy: readonly Interval[]
    /** Occupied times of other calendars at the same exclusive location. No buffer applies. Source: rules T13 and T48. */
    readonly locationBusy: readonly Interval[]
    /** The sessions of the wanted type, if it has seats. Their time is also in `busy`. Source: rule B52. */
    readonly sessions?: readonly Session[]
    /** Null disables the lower and upper bounds in time: for previews and tests only. */
    readonly nowMs: number | null
  }

/**
 * Lists the bookable slots of each date in a range, including dates without slots. Each opening has its own grid of
 * starts, from its beginning, in elapsed time. A slot can continue into an adjacent opening, also across midnight and
 * beyond the range, and belongs to the date on which it starts. A start at or before now is past. Source: rule T4.
 * @throws RangeError when the zone is unknown, the dates leave the years 1970 to 2200, or a number is out of bounds
 */
export function listOpenSlots(query: OpenSlotsQuery): OpenDay[] {
  const { dayCount, rules, nowMs } = query
  const durationMs = query.durationMinutes * MINUTE_MS
  if (!Number.isInteger(dayCount) || dayCount < 1 || dayCount > 366)
    throw new RangeError('dayCount must be 1 to 366')
  if (!(durationMs > 0)) throw new RangeError('durationMinutes must be above zero')
  const firstDay = toDayNumber(query.firstDate)
  // A clock change can move a slot from the previous or next date, and a slot can end days after its start. Source:
  // rule T8.
  const openingDays = 1 + dayCount + 1 + Math.ceil(durationMs / DAY_MS)
  const zone = getZoneOffsets(query.timeZone, (firstDay - 3) * DAY_MS, (firstDay + openingDays + 2) * DAY_MS)

  const days: MutableOpenDay[] = []
  for (const date of listDates(query.firstDate, dayCount)) days.push({ date, startsMs: [] })
  if (query.durationMinutes > rules.maxDurationMinutes) return days
  const openings = listTypeOpeningIntervals(query, zone, firstDay - 1, openingDays)
  const [first, last] = [openings[0], openings.at(-1)]
  if (first === undefined || last === undefined) return days

  const { afterMs, latestMs } = nowMs === null ? NO_BOUNDS : getStartBounds({ ...query, nowMs })
  const marginMs = query.isPacked ? PACKED_STEP_MS : 0
  const scan = startSlotScan({
    zone,
    stepMs: getStepMs(query),
    durationMs,
    afterMs,
    latestMs,
    busy: toBusyTimes({
      busy: query.busy,
      locationBusy: query.locationBusy,
      bufferMinutes: rules.bufferMinutes,
      work: query,
      during: { startMs: first.startMs - marginMs, endMs: last.open.untilMs + marginMs },
    }),
    firstDay,
    days,
  })
  for (const opening of openings) addFreeStarts(scan, opening)
  if (query.isPacked) addOffGridStarts(scan, listPackedStarts(scan.busy, durationMs), openings)
  if (query.limits.length > 0) clearFullDays(query, firstDay, days)
  return days
}

/** Removes the starts of the days on which a limit is reached. Source: rule T51. */
function clearFullDays(query: OpenSlotsQuery, firstDay: number, days: readonly MutableOpenDay[]): void {
  const range = { first: firstDay, last: firstDay + days.length - 1 }
  for (const day of listFullDays(query, range, query.durationMinutes)) {
    const full = days[day - firstDay]
    if (full !== undefined) full.startsMs.length = 0
  }
}

const NO_BOUNDS: StartBounds = { afterMs: -Infinity, latestMs: Infinity }

/** Local dates begin up to 14 hours before UTC and end up to 12 hours after it. */
const [EAST_MS, WEST_MS] = [14 * HOUR_MS, 12 * HOUR_MS]
/** The farthest at which a busy time can matter to an appointment, by buffer, preparation or wrap-up, and packed starts. */
export const MAX_DISTANCE_MS =
  (SLOT_RULE_LIMITS.bufferMinutes + OWNERS_WORK_LIMITS.minutes) * MINUTE_MS + PACKED_STEP_MS
const MAX_DURATION_MS = SLOT_RULE_LIMITS.longestAppointmentMinutes * MINUTE_MS

/**
 * Returns the interval in which busy times can affect the slots of some dates, in any zone and under any rules. It does
 * not depend on the calendar, so both can be queried together.
 */
export function getBusyTimeWindow({ firstDate, dayCount }: DayRange): Interval {
  const fromMs = toDayNumber(firstDate) * DAY_MS
  return {
    startMs: fromMs - EAST_MS - MAX_DISTANCE_MS,
    endMs: fromMs + dayCount * DAY_MS + WEST_MS + MAX_DURATION_MS + MAX_DISTANCE_MS,
  }
}
