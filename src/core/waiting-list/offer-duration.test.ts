import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import {
  addDurationExcludingNights,
  decideOffer,
  MAX_OFFER_DURATION_MS,
  OFFER_TO_ALL_WITHIN_MS,
} from './offer-duration.ts'

const LONDON = 'Europe/London'

describe('the duration of an offer', () => {
  test.each([
    ['9 hours before the start', '2027-01-05T18:00:00Z', '2027-01-05T12:00:00.000Z'],
    ['3 hours before the start', '2027-01-05T12:00:00Z', '2027-01-05T10:00:00.000Z'],
    ['days before the start', '2027-01-09T09:00:00Z', '2027-01-05T13:00:00.000Z'],
  ])('%s it is a third of the time left, at most 4 hours', (_when, start, end) => {
    expect(endOf('2027-01-05T09:00:00Z', start)).toBe(end)
  })

  test('less than 3 hours before the start, all customers are asked', () => {
    expect(endOf('2027-01-05T09:00:01Z', '2027-01-05T12:00:00Z')).toBeNull()
  })

  test('an offer in the evening continues in the morning', () => {
    expect(endOf('2027-01-05T20:00:00Z', '2027-01-09T09:00:00Z')).toBe('2027-01-06T11:00:00.000Z')
  })

  test('an offer at night starts at 8:00', () => {
    expect(endOf('2027-01-05T23:30:00Z', '2027-01-09T09:00:00Z')).toBe('2027-01-06T12:00:00.000Z')
  })

  test('when the night leaves too little time before the start, all customers are asked', () => {
    expect(endOf('2027-01-05T22:00:00Z', '2027-01-06T09:00:00Z')).toBeNull()
  })

  test("nights are in the calendar's time zone", () => {
    // 20:30 in London is 15:30 in New York.
    const now = Date.parse('2027-01-05T20:30:00Z')
    const startsAtMs = Date.parse('2027-01-09T09:00:00Z')
    const decided = decideOffer({ nowMs: now, startsAtMs, timeZone: 'America/New_York' })
    expect(decided).toEqual({ kind: 'held', endsAtMs: now + 4 * HOUR_MS })
  })
})

describe('nights with a clock change', () => {
  test.each([
    // On 2027-03-28 the clocks go from 01:00 to 02:00. One hour counts from 20:00 GMT on, and three more from 8:00 BST on.
    ['the night that is an hour shorter', '2027-03-27T20:00:00Z', '2027-03-28T10:00:00.000Z'],
    // On 2027-10-31 the clocks go from 02:00 to 01:00. One hour counts from 20:00 BST on, and three more from 8:00 GMT on.
    ['the night that is an hour longer', '2027-10-30T19:00:00Z', '2027-10-31T11:00:00.000Z'],
  ])('%s does not change how long an offer can be answered', (_night, from, to) => {
    const end = addDurationExcludingNights(Date.parse(from), 4 * HOUR_MS, LONDON)
    expect(new Date(end).toISOString()).toBe(to)
  })

  test('a date that a time zone skipped does not shorten an offer', () => {
    // 30 December 2011 did not exist in Samoa.
    const from = Date.parse('2011-12-30T06:00:00Z')
    const end = addDurationExcludingNights(from, 4 * HOUR_MS, 'Pacific/Apia')
    expect(end).toBeGreaterThanOrEqual(from + 4 * HOUR_MS)
  })
})

test('an offer ends by day, before the start, and not before its minimum duration (property)', () => {
  const zones = ['Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.parse('2027-01-01'), max: Date.parse('2028-12-31') }),
      fc.integer({ min: 0, max: 60 * 24 * HOUR_MS }),
      (timeZone, nowMs, leftMs) => {
        const startsAtMs = nowMs + leftMs
        const decided = decideOffer({ nowMs, startsAtMs, timeZone })
        if (decided.kind === 'told') return
        expect(leftMs).toBeGreaterThanOrEqual(OFFER_TO_ALL_WITHIN_MS)
        const { endsAtMs } = decided
        expect(endsAtMs).toBeLessThanOrEqual(startsAtMs - HOUR_MS)
        expect(endsAtMs - nowMs).toBeGreaterThanOrEqual(
          Math.min(Math.floor(leftMs / 3), MAX_OFFER_DURATION_MS),
        )
        const clock = localTimeOf(endsAtMs - MINUTE_MS, timeZone)
        expect(clock >= '07:59' && clock < '21:00', clock).toBe(true)
      },
    ),
  )
})

function endOf(now: string, start: string): string | null {
  const decided = decideOffer({
    nowMs: Date.parse(now),
    startsAtMs: Date.parse(start),
    timeZone: LONDON,
  })
  return decided.kind === 'told' ? null : new Date(decided.endsAtMs).toISOString()
}
