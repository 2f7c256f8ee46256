import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { utcOffsetMsAt } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import { listUtcOffsetPeriods } from './utc-offset-periods.ts'

const ms = (iso: string) => Date.parse(iso)

test('a year in London has three periods', () => {
  const year = { startMs: ms('2026-01-01T00:00Z'), endMs: ms('2027-01-01T00:00Z') }
  expect(listUtcOffsetPeriods('Europe/London', year)).toEqual([
    { startMs: year.startMs, endMs: ms('2026-03-29T01:00Z'), offsetMs: 0 },
    { startMs: ms('2026-03-29T01:00Z'), endMs: ms('2026-10-25T01:00Z'), offsetMs: HOUR_MS },
    { startMs: ms('2026-10-25T01:00Z'), endMs: year.endMs, offsetMs: 0 },
  ])
})

test('a zone without clock changes has one period', () => {
  const time = { startMs: ms('2026-01-01T00:00Z'), endMs: ms('2028-01-01T00:00Z') }
  expect(listUtcOffsetPeriods('Asia/Kathmandu', time)).toEqual([{ ...time, offsetMs: 5.75 * HOUR_MS }])
})

test('the periods cover the interval without gaps, each with the offset of all its instants', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 1, max: 760 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (zone, firstDay, days, share) => {
        const time = { startMs: firstDay * DAY_MS, endMs: (firstDay + days) * DAY_MS }
        const stretches = listUtcOffsetPeriods(zone, time)
        expect(stretches[0]?.startMs).toBe(time.startMs)
        expect(stretches.at(-1)?.endMs).toBe(time.endMs)
        for (const [i, stretch] of stretches.entries()) {
          if (i > 0) expect(stretch.startMs).toBe(stretches[i - 1]?.endMs)
          const atMs = Math.floor(stretch.startMs + (stretch.endMs - stretch.startMs) * share)
          expect(utcOffsetMsAt(zone, atMs)).toBe(stretch.offsetMs)
        }
      },
    ),
  )
})
