import { addDays } from '#core/shared/calendar-date.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'

/** How long an offer lasts at least and at most, nights left out. Source: rule Z4. */
const SHORTEST_OFFER_MS = 10 * MINUTE_MS
export const LONGEST_OFFER_MS = 4 * HOUR_MS

/** Nearer than this to the start there is no time to ask one customer after the other. Source: rule Z5. */
export const OFFER_TO_ALL_MS = 3 * HOUR_MS

/** An offer to one customer ends so long before the start that the next one can still be asked. Source: rule Z5. */
const LEFT_FOR_OTHERS_MS = HOUR_MS

const MORNING_SECONDS = 8 * 60 * 60
const NIGHT_SECONDS = 21 * 60 * 60

export type OfferDecision =
  /** One customer has the time for themselves until then. */
  | { readonly kind: 'held'; readonly endsAtMs: number }
  /** All who fit are told, and the first wins. */
  | { readonly kind: 'told' }

type FreedTime = {
  readonly nowMs: number
  readonly startsAtMs: number
  /** The zone of the calendar: strangers choose their own. */
  readonly timeZone: string
}

/**
 * Decides how a free time is offered. An offer to one customer lasts a third of the time that is left, at least 10 minutes and at
 * most 4 hours, and does not run at night. Source: rules Z4 and Z5.
 */
export function decideOffer({ nowMs, startsAtMs, timeZone }: FreedTime): OfferDecision {
  const leftMs = startsAtMs - nowMs
  if (leftMs < OFFER_TO_ALL_MS) return { kind: 'told' }
  const lengthMs = Math.min(Math.max(leftMs / 3, SHORTEST_OFFER_MS), LONGEST_OFFER_MS)
  const endsAtMs = addDaytime(nowMs, Math.round(lengthMs), timeZone)
  return endsAtMs > startsAtMs - LEFT_FOR_OTHERS_MS ? { kind: 'told' } : { kind: 'held', endsAtMs }
}

/**
 * The instant at which so much time has passed outside the nights (21:00 to 8:00) of a zone. Time is elapsed time, so a night
 * over a change of the clocks is an hour shorter or longer.
 */
export function addDaytime(fromMs: number, lengthMs: number, timeZone: string): number {
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
