import { describe, expect, test } from 'vitest'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import { arbitrarySlotsQuery } from '#tests/support/any-slots-query.ts'
import * as fc from '#tests/support/fast-check.ts'
import { ALL_DATES } from './booking-window.ts'
import { explainStart, type StartQuery } from './explain-start.ts'
import {
  countSeriesDates,
  isNearSeriesDate,
  judgeSeries,
  planSeries,
  SERIES_INTERVALS_WEEKS,
  type SeriesRule,
  withAppointment,
} from './plan-series.ts'
import { DEFAULT_SLOT_RULES } from './slot-rules.ts'

const HOUR_SECONDS = 3_600
const HOUR_MS = HOUR_SECONDS * 1_000
const BERLIN = 'Europe/Berlin'
/** Mondays to Fridays, 9:00 to 17:00. */
const OPENINGS = [1, 2, 3, 4, 5].map((dayOfWeek) => ({
  dayOfWeek,
  startSeconds: 9 * HOUR_SECONDS,
  endSeconds: 17 * HOUR_SECONDS,
}))

function makeQuery(changes: Partial<StartQuery> = {}): StartQuery {
  return {
    openings: OPENINGS,
    specialDays: [],
    prepareMinutes: 0,
    wrapUpMinutes: 0,
    limits: [],
    counted: [],
    bookable: ALL_DATES,
    timeZone: BERLIN,
    durationMinutes: 60,
    rules: DEFAULT_SLOT_RULES,
    busy: [],
    locationBusy: [],
    nowMs: at('2027-01-04', 8),
    ...changes,
  }
}

function at(date: string, hour: number): number {
  return toEpochMs(date, hour * HOUR_SECONDS, BERLIN)
}

function taken(date: string, hour: number) {
  return { startMs: at(date, hour), endMs: at(date, hour + 1) }
}

const mondaysAt10: SeriesRule = { firstDate: '2027-01-11', secondsOfDay: 10 * HOUR_SECONDS, everyWeeks: 1 }

test('each planned date agrees with explainStart, with the free dates before it booked', () => {
  const anyRule = fc.record({
    days: fc.integer({ min: 0, max: 6 }),
    minutes: fc.integer({ min: 0, max: 1_439 }),
    everyWeeks: fc.constantFrom(...SERIES_INTERVALS_WEEKS),
    count: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(arbitrarySlotsQuery({ wholeMinutes: true }), anyRule, ({ nowMs, ...rest }, drawn) => {
      const first = toEpochMs(rest.firstDate, 0, rest.timeZone)
      const query = { ...rest, nowMs: nowMs ?? first - HOUR_MS }
      const rule = {
        firstDate: rest.firstDate,
        secondsOfDay: drawn.minutes * 60,
        everyWeeks: drawn.everyWeeks,
      }
      let booked: StartQuery = query
      for (const { startsAtMs, reasons, nearMs } of planSeries(query, rule, drawn.count)) {
        expect(reasons).toEqual(explainStart(booked, startsAtMs))
        for (const near of nearMs) expect(explainStart(booked, near)).toEqual([])
        expect(nearMs.length).toBeLessThanOrEqual(reasons.length === 0 ? 0 : 3)
        if (reasons.length === 0) booked = withAppointment(booked, startsAtMs)
      }
    }),
    { numRuns: 60 },
  )
})

test('the time on the clock stays when the clocks change', () => {
  const plan = planSeries(makeQuery(), { ...mondaysAt10, firstDate: '2027-03-15' }, 4)
  expect(plan.map(({ startsAtMs }) => new Date(startsAtMs).toISOString())).toEqual([
    '2027-03-15T09:00:00.000Z',
    '2027-03-22T09:00:00.000Z',
    '2027-03-29T08:00:00.000Z',
    '2027-04-05T08:00:00.000Z',
  ])
})

test('a time that a clock change skips or repeats is read as that of a single booking', () => {
  const sundaysAt230 = { ...mondaysAt10, secondsOfDay: 2.5 * HOUR_SECONDS }
  const spring = planSeries(makeQuery(), { ...sundaysAt230, firstDate: '2027-03-21' }, 2)
  expect(spring.map(({ reading }) => reading)).toEqual(['once', 'skipped'])
  expect(new Date(spring[1]?.startsAtMs ?? 0).toISOString()).toBe('2027-03-28T01:30:00.000Z')
  const autumn = planSeries(makeQuery(), { ...sundaysAt230, firstDate: '2027-10-24' }, 2)
  expect(autumn.map(({ reading }) => reading)).toEqual(['once', 'repeated'])
  expect(new Date(autumn[1]?.startsAtMs ?? 0).toISOString()).toBe('2027-10-31T00:30:00.000Z')
})

test('every 4 weeks counts days across months of 28 and 31 days', () => {
  const plan = planSeries(makeQuery(), { ...mondaysAt10, firstDate: '2027-01-04', everyWeeks: 4 }, 4)
  expect(plan.map(({ date }) => date)).toEqual(['2027-01-04', '2027-02-01', '2027-03-01', '2027-03-29'])
})

test('of 52 dates with 7 conflicts and a holiday, 44 are free and the others have near times', () => {
  const conflicts = [
    '2027-01-18',
    '2027-02-01',
    '2027-03-29',
    '2027-05-03',
    '2027-08-09',
    '2027-10-25',
    '2028-01-03',
  ]
  const holiday = Math.round(Date.UTC(2027, 3, 5) / (24 * HOUR_MS))
  const plan = planSeries(
    makeQuery({
      busy: conflicts.map((date) => taken(date, 10)),
      specialDays: [{ firstDay: holiday, lastDay: holiday, hours: [] }],
    }),
    mondaysAt10,
    52,
  )
  expect(plan).toHaveLength(52)
  const refused = plan.filter(({ reasons }) => reasons.length > 0)
  expect(refused.map(({ date }) => date).sort()).toEqual([...conflicts, '2027-04-05'].sort())
  const [conflict] = refused
  expect(conflict?.reasons).toEqual(['busy'])
  expect(conflict?.nearMs).toEqual([at('2027-01-18', 9), at('2027-01-18', 11), at('2027-01-18', 11.5)])
  const closed = refused.find(({ date }) => date === '2027-04-05')
  expect(closed?.reasons).toEqual(['special_day'])
  expect(closed?.nearMs.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
    '2027-04-06',
    '2027-04-06',
    '2027-04-06',
  ])
})

test('a limit counts the earlier dates of the series itself', () => {
  const limit = { period: 'month', unit: 'appointments', most: 2 } as const
  const query = makeQuery({ limits: [{ limit, is_of_type: false }] })
  const plan = planSeries(query, { ...mondaysAt10, firstDate: '2027-02-01' }, 5)
  expect(plan.map(({ reasons }) => reasons)).toEqual([[], [], ['limit'], ['limit'], []])
})

describe('the chosen dates', () => {
  const week = [11, 12, 13].map((day) => ({ startsAtMs: at(`2027-01-${day}`, 10), isAnyway: false }))

  test('count towards the limits that they fill', () => {
    const limit = { period: 'week', unit: 'appointments', most: 2 } as const
    const query = makeQuery({ limits: [{ limit, is_of_type: false }] })
    expect(judgeSeries(query, week).map(({ decision }) => decision)).toEqual([
      { ok: true },
      { ok: true },
      { ok: false, reason: 'limit' },
    ])
    const anyway = week.map((start) => ({ ...start, isAnyway: true }))
    expect(judgeSeries(query, anyway).every(({ decision }) => decision.ok)).toBe(true)
  })

  test('never overlap each other', () => {
    const [first] = week
    const twice = [first, { startsAtMs: at('2027-01-11', 10.5), isAnyway: true }].flatMap(
      (start) => start ?? [],
    )
    expect(judgeSeries(makeQuery(), twice).map(({ decision }) => decision)).toEqual([
      { ok: true },
      { ok: false, reason: 'busy' },
    ])
  })
})

test.each([
  ['after some dates', { count: 10 }, 10],
  ['on its last date', { until: '2027-01-25' }, 3],
  ['the day before a date', { until: '2027-01-24' }, 2],
  ['before it begins', { until: '2027-01-01' }, 0],
  ['never, 26 weeks ahead', 'never', 26],
] as const)('a series that ends %s has that many dates', (_case, end, count) => {
  expect(countSeriesDates(mondaysAt10, end, '2027-01-11')).toBe(count + (end === 'never' ? 1 : 0))
})

test('a standing appointment that begins in more than 26 weeks has its first date', () => {
  expect(countSeriesDates({ ...mondaysAt10, firstDate: '2028-01-10' }, 'never', '2027-01-11')).toBe(1)
})

test.each([
  [2, at('2027-01-18', 10), true],
  [2, at('2027-01-21', 16), true],
  [2, at('2027-01-15', 9), true],
  [2, at('2027-01-22', 9), false],
  [3, at('2027-01-18', 10), false],
])('date %s of the rule at %s is near the rule: %s (rule B48)', (number, startsAtMs, isNear) => {
  expect(isNearSeriesDate(mondaysAt10, { number, startsAtMs }, BERLIN)).toBe(isNear)
})
