import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type BookableDates, type BookingWindow, NO_WINDOW, toBookableTime } from './booking-window.ts'
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
  /** That of appointments whose type has no booking window of its own. Source: rule T69. */
  readonly window: BookingWindow
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
  window: NO_WINDOW,
}

export type StartBounds = {
  /** Exclusive lower bound of a slot's start; -Infinity for no limit. */
  readonly afterMs: number
  /** Inclusive upper bound of a slot's start; Infinity for no limit. */
  readonly latestMs: number
}

/** Returns the exclusive lower bound that the minimum notice sets. Without one, a start right now is too soon. Source: rule T32. */
export function getNoticeBoundMs(nowMs: number, { noticeMinutes }: Pick<SlotRules, 'noticeMinutes'>): number {
  return noticeMinutes === 0 ? nowMs : nowMs + noticeMinutes * MINUTE_MS - 1
}

/**
 * Returns the bounds for starts, regardless of openings: those of the minimum notice, of the bookable dates, and of 730 days.
 * Source: rules T10, T32 and T68.
 */
export function getStartBounds({
  nowMs,
  rules,
  bookable,
  timeZone,
}: {
  readonly nowMs: number
  readonly rules: Pick<SlotRules, 'noticeMinutes'>
  readonly bookable: BookableDates
  readonly timeZone: string
}): StartBounds {
  const { startMs, endMs } = toBookableTime(bookable, timeZone)
  return {
    afterMs: Math.max(getNoticeBoundMs(nowMs, rules), startMs - 1),
    latestMs: Math.min(nowMs + MAX_DAYS_AHEAD * DAY_MS, endMs - 1),
  }
}
