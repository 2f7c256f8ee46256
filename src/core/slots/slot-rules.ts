import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'

/** Intervals between offered starts that owners can choose, in minutes (rule T4). */
export const SLOT_INTERVALS_MINUTES = [15, 30, 60] as const
export type SlotIntervalMinutes = (typeof SLOT_INTERVALS_MINUTES)[number]

/** A calendar's "Time-slot settings" (rule T17), as used by the slot engine. */
export type SlotRules = {
  readonly slotMinutes: SlotIntervalMinutes
  /** Free time required before and after each busy time. Source: rule T12. */
  readonly bufferMinutes: number
  /** Longer appointments are not offered. */
  readonly maxDurationMinutes: number
  /** Minimum notice before the start of a booking. Source: rule T32. */
  readonly noticeMinutes: number
  /** Customers can book today and the next days, at most this many; 0 to 730. Source: rule T45. */
  readonly windowDays: number
}

/** Maximum values that owners can set, in minutes. */
export const SLOT_RULE_LIMITS = {
  bufferMinutes: 60,
  bufferStepMinutes: 5,
  longestAppointmentMinutes: 480,
  /** 30 days. */
  noticeMinutes: 43_200,
  windowDays: MAX_DAYS_AHEAD,
} as const

/** Default rules of a new calendar. */
export const DEFAULT_SLOT_RULES: SlotRules = {
  slotMinutes: 30,
  bufferMinutes: 0,
  maxDurationMinutes: 120,
  noticeMinutes: 0,
  windowDays: MAX_DAYS_AHEAD,
}

export type StartBounds = {
  /** Exclusive lower bound of a slot's start; -Infinity for no limit. */
  readonly afterMs: number
  /** Inclusive upper bound of a slot's start; Infinity for no limit. */
  readonly latestMs: number
}

/**
 * Returns the bounds for starts, regardless of openings. Without a minimum notice, a start right now is too soon. A
 * start exactly at the minimum notice is offered. The last day of the booking window counts to its end in the calendar's zone.
 * Source: rules T10, T32 and T45.
 */
export function getStartBounds(
  nowMs: number,
  { noticeMinutes, windowDays }: SlotRules,
  timeZone: string,
): StartBounds {
  const farthestMs = nowMs + MAX_DAYS_AHEAD * DAY_MS
  return {
    afterMs: noticeMinutes === 0 ? nowMs : nowMs + noticeMinutes * MINUTE_MS - 1,
    latestMs:
      windowDays >= MAX_DAYS_AHEAD
        ? farthestMs
        : Math.min(farthestMs, endOfWindowMs(nowMs, windowDays, timeZone)),
  }
}

function endOfWindowMs(nowMs: number, windowDays: number, timeZone: string): number {
  return toEpochMs(addDays(localDateOf(nowMs, timeZone), windowDays + 1), 0, timeZone) - 1
}
