import {
  listOpeningIntervals,
  type OpeningHours,
  type OpeningInterval,
} from '#core/availability/opening-times.ts'
import { findSpecialDaysOn } from '#core/availability/special-days.ts'
import { toTypeOpeningHours } from '#core/availability/type-hours.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { countLimits, type ReachedLimit } from './booking-limits.ts'
import { toBookableTime } from './booking-window.ts'
import { toBusyTimes } from './busy-times.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'
import { addBuffer, toOccupiedTime } from './occupied-time.ts'
import type { OpenSlotsQuery } from './open-slots.ts'
import { findSession } from './sessions.ts'
import { getNoticeBoundMs } from './slot-rules.ts'
import { getStepMs, isPackedStart, PACKED_STEP_MS } from './start-pattern.ts'

/**
 * The reasons that another event of the person causes, the closest first: `busy` is taken time itself, `preparation` only the
 * preparation or wrap-up of an appointment, and `buffer` only the buffer between them. Source: rules O3 and T50.
 */
const OVERLAP_REASONS = ['busy', 'preparation', 'buffer'] as const
export type OverlapReason = (typeof OVERLAP_REASONS)[number]

/** The reasons that nothing overrides. Source: rules O1 and O3. */
const FINAL_REASONS = ['too_long_ago', 'too_far_ahead', ...OVERLAP_REASONS, 'location_taken', 'full'] as const
export type FinalReason = (typeof FINAL_REASONS)[number]

/** Reasons why customers are not offered a start, most important first. Source: rules O2, O3, T10 and T51. */
export const START_REASONS = [
  ...FINAL_REASONS,
  'begun',
  'short_notice',
  'window',
  'limit',
  'paused',
  'unchecked',
  'special_day',
  'outside_hours',
  'outside_type_hours',
  'too_long',
  'off_grid',
] as const
export type StartReason = (typeof START_REASONS)[number]

/** The reasons that the owner can override. A paused calendar does not concern the owner. Source: rule O2. */
export type StartWarning = Exclude<StartReason, FinalReason | 'paused'>

/** How long after its start an owner can still enter an appointment, for example for a walk-in. Source: rule O1. */
export const MAX_LATE_ENTRY_MS = DAY_MS

export type StartQuery = Omit<OpenSlotsQuery, 'firstDate' | 'dayCount' | 'nowMs'> & {
  readonly nowMs: number
  /** True when the calendar takes no bookings. Source: rule S13. */
  readonly isPaused?: boolean
  /** True when an external calendar cannot be checked, so that customers are offered nothing. Source: rule G8. */
  readonly isUnchecked?: boolean
}

/**
 * Lists every reason why customers are not offered a start, most important first. Empty exactly when `listOpenSlots` lists
 * the start of a calendar that is neither paused nor unchecked. A start beyond all bounds has only that reason.
 * @throws RangeError when the zone is unknown
 */
export function explainStart(query: StartQuery, startsAtMs: number): StartReason[] {
  const { nowMs, rules } = query
  // Checked before the zone is loaded, because anybody can ask about any time.
  const beyond = findReasonBeyondBounds(startsAtMs, nowMs)
  if (beyond !== null) return [beyond]
  const time = { startMs: startsAtMs, endMs: startsAtMs + query.durationMinutes * MINUTE_MS }
  const reasons = listTimeReasons(query, time)
  const bookable = toBookableTime(query.bookable, query.timeZone)
  if (startsAtMs <= nowMs) reasons.push('begun')
  else if (startsAtMs <= getNoticeBoundMs(nowMs, rules)) reasons.push('short_notice')
  if (startsAtMs < bookable.startMs || startsAtMs >= bookable.endMs) reasons.push('window')
  if (listReachedLimits(query, startsAtMs).length > 0) reasons.push('limit')
  if (query.isPaused) reasons.push('paused')
  if (query.isUnchecked) reasons.push('unchecked')
  return [...reasons, ...listReasonsOfHours(query, time)]
}

/** Returns why nobody can book a start, whatever the calendar; null when somebody could. Also refuses NaN. Source: rule O1. */
export function findReasonBeyondBounds(
  startsAtMs: number,
  nowMs: number,
): 'too_long_ago' | 'too_far_ahead' | null {
  if (!(startsAtMs >= nowMs - MAX_LATE_ENTRY_MS)) return 'too_long_ago'
  return startsAtMs > nowMs + MAX_DAYS_AHEAD * DAY_MS ? 'too_far_ahead' : null
}

/**
 * Lists the limits that an appointment at this start would exceed. A session counts once, when its first seat is booked. Source:
 * rules T51 and B54.
 */
export function listReachedLimits(
  { limits, counted, durationMinutes, timeZone, sessions = [] }: StartQuery,
  startsAtMs: number,
): ReachedLimit[] {
  const time = { startMs: startsAtMs, endMs: startsAtMs + durationMinutes * MINUTE_MS }
  if (limits.length === 0 || findSession(sessions, time) !== undefined) return []
  const dayNumber = toDayNumber(localDateOf(startsAtMs, timeZone))
  return countLimits(limits, counted, { dayNumber, durationMinutes })
}

/** True when customers can book this start. A booking repeats the check in its transaction. Source: rule T10. */
export function isOpenSlot(query: StartQuery, startsAtMs: number): boolean {
  return explainStart(query, startsAtMs).length === 0
}

export type OwnerStartTimeDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: FinalReason | StartWarning }

/**
 * Decides whether the owner can book a start, given the reasons against it. Confirming overrides warnings, but never another
 * appointment. Source: rule O3.
 */
export function decideOwnerStartTime(
  reasons: readonly StartReason[],
  anyway: boolean,
): OwnerStartTimeDecision {
  const [reason] = reasons.filter((candidate) => candidate !== 'paused')
  if (reason === undefined || (anyway && !isFinalReason(reason))) return { ok: true }
  return { ok: false, reason }
}

export function isFinalReason(reason: StartReason): reason is FinalReason {
  return (FINAL_REASONS as readonly StartReason[]).includes(reason)
}

export function isOverlapReason(reason: StartReason): reason is OverlapReason {
  return (OVERLAP_REASONS as readonly StartReason[]).includes(reason)
}

/** The seats of a session share its time, so only their number matters. Source: rule B52. */
function listTimeReasons(query: StartQuery, time: Interval): StartReason[] {
  const session = findSession(query.sessions ?? [], time)
  if (session === undefined) return listConflicts(query, time)
  return session.seatsLeft > 0 ? [] : ['full']
}

function listConflicts(query: StartQuery, time: Interval): StartReason[] {
  const { busy, locationBusy, rules } = query
  const occupied = toOccupiedTime(time, query)
  const wide = addBuffer(occupied, rules.bufferMinutes)
  const inTheWay = busy.filter((taken) => overlaps(taken, wide))
  const conflicts: StartReason[] = []
  if (inTheWay.length > 0) conflicts.push(findClosestOverlap(inTheWay, { time, occupied }))
  if (locationBusy.some((taken) => overlaps(taken, occupied))) conflicts.push('location_taken')
  return conflicts
}

/** Returns how closely the nearest of the times overlaps an appointment, given that each overlaps at least its buffer. */
function findClosestOverlap(
  taken: readonly Interval[],
  { time, occupied }: { readonly time: Interval; readonly occupied: Interval },
): OverlapReason {
  if (taken.some((other) => overlaps(other, time))) return 'busy'
  return taken.some((other) => overlaps(other, occupied)) ? 'preparation' : 'buffer'
}

/** Returns the openings in which the time lies whole, even when the clocks change. */
function listOpeningsAround(
  hours: OpeningHours,
  { timeZone }: Pick<StartQuery, 'timeZone'>,
  time: Interval,
): readonly OpeningInterval[] {
  const firstDay = toDayNumber(localDateOf(time.startMs, timeZone)) - 1
  const dayCount = 3 + Math.ceil((time.endMs - time.startMs) / DAY_MS)
  const zone = getZoneOffsets(timeZone, (firstDay - 2) * DAY_MS, (firstDay + dayCount + 2) * DAY_MS)
  return listOpeningIntervals(hours, zone, firstDay, dayCount).filter(
    ({ startMs, open }) => startMs <= time.startMs && time.endMs <= open.untilMs,
  )
}

/** Lists the reasons that the hours, the length and the grid give. */
function listReasonsOfHours(query: StartQuery, time: Interval): StartReason[] {
  const openings = listOpeningsAround(query, query, time)
  const hasOwnHours = (query.typeOpenings ?? []).length > 0
  const own = hasOwnHours ? listOpeningsAround(toTypeOpeningHours(query), query, time) : openings
  const isTooLong = query.durationMinutes > query.rules.maxDurationMinutes
  const isOffGrid = own.length > 0 && !isOffered(query, own, time)
  const reasons: StartReason[] = []
  if (openings.length === 0)
    reasons.push(isOnSpecialDay(query, time.startMs) ? 'special_day' : 'outside_hours')
  if (hasOwnHours && own.length === 0) reasons.push('outside_type_hours')
  if (isTooLong) reasons.push('too_long')
  // A session is offered wherever it begins, also after its owner has moved it. Source: rule B52.
  if (isOffGrid && findSession(query.sessions ?? [], time) === undefined) reasons.push('off_grid')
  return reasons
}

function isOnSpecialDay({ specialDays, timeZone }: StartQuery, startsAtMs: number): boolean {
  return findSpecialDaysOn(specialDays, toDayNumber(localDateOf(startsAtMs, timeZone))) !== undefined
}

/** True when a start is on the grid of an opening, or right after or before a busy time. Source: rules T63 and T64. */
function isOffered(query: StartQuery, openings: readonly OpeningInterval[], time: Interval): boolean {
  const stepMs = getStepMs(query)
  if (openings.some((opening) => isOnGrid(opening, stepMs, time.startMs))) return true
  if (!query.isPacked) return false
  const during = { startMs: time.startMs - PACKED_STEP_MS, endMs: time.endMs + PACKED_STEP_MS }
  const busy = toBusyTimes({ ...query, bufferMinutes: query.rules.bufferMinutes, work: query, during })
  return isPackedStart(busy, time)
}

/** The grid of an opening begins at its own start. Source: rule T4. */
function isOnGrid({ endMs, gridMs }: OpeningInterval, stepMs: number, startsAtMs: number): boolean {
  return startsAtMs < endMs && (startsAtMs - gridMs) % stepMs === 0
}
