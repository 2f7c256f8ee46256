import { listOpeningIntervals, type OpeningInterval } from '#core/availability/opening-times.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'
import type { OpenSlotsQuery } from './open-slots.ts'
import { getStartBounds } from './slot-rules.ts'

/**
 * Reasons why a free time is not offered to customers, most important first. The owner can still book it. Source: rule
 * O2.
 */
export const START_WARNINGS = [
  'begun',
  'short_notice',
  'unchecked',
  'outside_hours',
  'too_long',
  'off_grid',
] as const
export type StartWarning = (typeof START_WARNINGS)[number]

/**
 * The result of checking a start for the owner. A conflicting appointment comes first, because nothing overrides it.
 * Source: rule O3.
 */
export type StartTimeCheck =
  | { readonly kind: 'too_long_ago' | 'too_far_ahead' | 'location_taken' }
  /** `isBufferOnly`: the time itself is free, but it violates the buffer around another event. */
  | { readonly kind: 'busy'; readonly isBufferOnly: boolean }
  | { readonly kind: 'free'; readonly concerns: readonly StartWarning[] }

/** How long after its start an owner can still enter an appointment, for example for a walk-in. Source: rule O1. */
export const MAX_LATE_ENTRY_MS = DAY_MS

type StartQuery = Omit<OpenSlotsQuery, 'firstDate' | 'dayCount' | 'nowMs'> & {
  readonly nowMs: number
  /**
   * True when an external calendar cannot be checked, so customers are offered nothing; defaults to false. Source: rule
   * G8.
   */
  readonly isUnchecked?: boolean
}

/** Lists every reason why a start is not offered. `isOpenSlot` returns only yes or no. Source: rule O2. */
export function checkStartTime(query: StartQuery, startsAtMs: number): StartTimeCheck {
  if (!(startsAtMs >= query.nowMs - MAX_LATE_ENTRY_MS)) return { kind: 'too_long_ago' }
  if (startsAtMs > query.nowMs + MAX_DAYS_AHEAD * DAY_MS) return { kind: 'too_far_ahead' }
  const time = { startMs: startsAtMs, endMs: startsAtMs + query.durationMinutes * MINUTE_MS }
  const bufferMs = query.rules.bufferMinutes * MINUTE_MS
  const inTheWay = query.busy.filter((busy) => isInTheWay(busy, bufferMs, time))
  if (inTheWay.length > 0) {
    return { kind: 'busy', isBufferOnly: !inTheWay.some((busy) => overlaps(busy, time)) }
  }
  if (query.locationBusy.some((busy) => isInTheWay(busy, 0, time))) return { kind: 'location_taken' }
  return { kind: 'free', concerns: listConcerns(query, time) }
}

export type OwnerStartTimeDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: Exclude<StartTimeCheck['kind'], 'free'> | StartWarning }

/**
 * Decides whether the owner can book the time. Confirming overrides warnings, but never another appointment. Source:
 * rule O3.
 */
export function decideOwnerStartTime(verdict: StartTimeCheck, anyway: boolean): OwnerStartTimeDecision {
  if (verdict.kind !== 'free') return { ok: false, reason: verdict.kind }
  const [concern] = verdict.concerns
  return concern === undefined || anyway ? { ok: true } : { ok: false, reason: concern }
}

/** Busy times of zero length are ignored, whatever the buffer. */
function isInTheWay(busy: Interval, bufferMs: number, time: Interval): boolean {
  if (busy.startMs >= busy.endMs) return false
  return overlaps({ startMs: busy.startMs - bufferMs, endMs: busy.endMs + bufferMs }, time)
}

/** The most important warning comes first. */
function listConcerns(query: StartQuery, time: Interval): StartWarning[] {
  const concerns: StartWarning[] = []
  const { afterMs } = getStartBounds(query.nowMs, query.rules)
  if (time.startMs <= query.nowMs) concerns.push('begun')
  else if (time.startMs <= afterMs) concerns.push('short_notice')
  if (query.isUnchecked) concerns.push('unchecked')
  const around = listOpeningsAround(query, time).filter(
    ({ startMs, open }) => startMs <= time.startMs && time.endMs <= open.untilMs,
  )
  if (around.length === 0) concerns.push('outside_hours')
  if (query.durationMinutes > query.rules.maxDurationMinutes) concerns.push('too_long')
  const stepMs = query.rules.slotMinutes * MINUTE_MS
  const isOnGrid = around.some(
    ({ startMs, endMs }) => time.startMs < endMs && (time.startMs - startMs) % stepMs === 0,
  )
  if (around.length > 0 && !isOnGrid) concerns.push('off_grid')
  return concerns
}

/** Returns the openings of every date that can reach into the time, even when the clocks change. */
function listOpeningsAround(query: StartQuery, time: Interval): readonly OpeningInterval[] {
  const firstDay = toDayNumber(localDateOf(time.startMs, query.timeZone)) - 1
  const dayCount = 3 + Math.ceil((time.endMs - time.startMs) / DAY_MS)
  const zone = getZoneOffsets(query.timeZone, (firstDay - 2) * DAY_MS, (firstDay + dayCount + 2) * DAY_MS)
  return listOpeningIntervals(query, zone, firstDay, dayCount)
}
