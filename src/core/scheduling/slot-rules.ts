import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { MAX_DAYS_AHEAD } from './farthest-days.ts'

/** Distances between two offered starts that an owner may choose, in minutes (rule T4). */
export const SLOT_LENGTHS = [15, 30, 60] as const
export type SlotMinutes = (typeof SLOT_LENGTHS)[number]

/** A calendar's "Time-slot settings" (rule T17), as the slot engine reads them. */
export type SlotRules = {
  readonly slotMinutes: SlotMinutes
  /** Quiet time kept before and after each time of `busy`. Source: rule T12. */
  readonly bufferMinutes: number
  /** Longer appointments are not offered. */
  readonly maxDurationMinutes: number
  /** How long before its start a customer must book at the latest. Source: rule T32. */
  readonly noticeMinutes: number
}

/** The most that an owner may set, in minutes. */
export const SLOT_RULE_LIMITS = {
  bufferMinutes: 60,
  bufferStepMinutes: 5,
  longestAppointmentMinutes: 480,
  /** 30 days. */
  noticeMinutes: 43_200,
} as const

/** The rules of a new calendar. */
export const NEW_SLOT_RULES: SlotRules = {
  slotMinutes: 30,
  bufferMinutes: 0,
  maxDurationMinutes: 120,
  noticeMinutes: 0,
}

export type StartBounds = {
  /** A slot starts later than this; -Infinity for no limit. */
  readonly afterMs: number
  /** A slot starts at this instant at the latest; Infinity for no limit. */
  readonly latestMs: number
}

/**
 * Between which instants customers may start, whatever the openings. Without a notice, now itself is too soon. A start at
 * which the notice has just run out is offered. Source: rules T10 and T32.
 */
export function startBounds(nowMs: number, { noticeMinutes }: SlotRules): StartBounds {
  return {
    afterMs: noticeMinutes === 0 ? nowMs : nowMs + noticeMinutes * MINUTE_MS - 1,
    latestMs: nowMs + MAX_DAYS_AHEAD * DAY_MS,
  }
}
