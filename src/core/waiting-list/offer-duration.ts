import { addDays } from '#core/shared/calendar-date.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'

/** Minimum and maximum duration of an offer, not counting nights. Source: rule Z4. */
const SHORTEST_OFFER_MS = 10 * MINUTE_MS
export const MAX_OFFER_DURATION_MS = 4 * HOUR_MS

/**
 * Closer to the start than this, there is no time to ask customers one after the other, so everybody is asked. Source:
 * rule Z5.
 */
export const OFFER_TO_ALL_WITHIN_MS = 3 * HOUR_MS

/**
 * An offer to one customer ends at least this long before the start, so that others can still be asked. Source: rule
 * Z5.
 */
const LEFT_FOR_OTHERS_MS = HOUR_MS

const MORNING_SECONDS = 8 * 60 * 60
const NIGHT_SECONDS = 21 * 60 * 60

export type OfferDecision =
  /** The time is held for one customer until then. */
  | { readonly kind: 'held'; readonly endsAtMs: number }
  /** All matching customers are emailed, and the first to accept gets the time. */
  | { readonly kind: 'told' }

type FreedTime = {
  readonly nowMs: number
  readonly startsAtMs: number
  /** The calendar's time zone; customers could choose any zone. */
  readonly timeZone: string
}

/**
 * Decides how a freed time is offered. An offer to one customer lasts a third of the remaining time, at least 10
 * minutes and at most 4 hours; nights do not count. Source: rules Z4 and Z5.
 */
export function decideOffer({ nowMs, startsAtMs, timeZone }: FreedTime): OfferDecision {
  const leftMs = startsAtMs - nowMs
  if (leftMs < OFFER_TO_ALL_WITHIN_MS) return { kind: 'told' }
  const lengthMs = Math.min(Math.max(leftMs / 3, SHORTEST_OFFER_MS), MAX_OFFER_DURATION_MS)
  const endsAtMs = addDurationExcludingNights(nowMs, Math.round(lengthMs), timeZone)
  return endsAtMs > startsAtMs - LEFT_FOR_OTHERS_MS ? { kind: 'told' } : { kind: 'held', endsAtMs }
}

/**
 * Adds a duration to an instant, not counting nights (21:00 to 8:00) in a zone. Uses elapsed time, so a night with a
 * clock change is an hour shorter or longer.
 */
export function addDurationExcludingNights(fromMs: number, lengthMs: number, timeZone: string): number {
  let date = localDateOf(fromMs, timeZone)
  let leftMs = lengthMs
  for (;;) {
    const morningMs = toEpochMs(date, MORNING_SECONDS, timeZone)
    const nightMs = toEpochMs(date, NIGHT_SECONDS, timeZone)
    const beginMs = Math.max(fromMs, morningMs)
    const wakingMs = Math.max(0, nightMs - beginMs)
    if (leftMs <= wakingMs) return beginMs + leftMs
    leftMs -= wakingMs
    date = addDays(date, 1)
  }
}
