import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import * as fc from '#tests/support/fast-check.ts'
import { buildEventReader } from './event-reader.ts'
import { readCalendarFile } from './read-calendar-file.ts'

/** A sync reads two years of a file, a check before a booking only hours. Both must agree. Source: rules G4 and G7. */
const COPY = { startMs: Date.parse('2027-01-01T00:00Z'), endMs: Date.parse('2029-01-01T00:00Z') }
const SERIES_MS = Date.parse('2027-02-01T10:00Z')

const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland')
const hours = (longest: number) => fc.integer({ min: 1, max: longest })

/** An exception for the occurrence of one week, moved by days and hours and with a different length. */
const exception = fc.record({
  week: fc.integer({ min: 0, max: 90 }),
  isThisAndFuture: fc.boolean(),
  movedDays: fc.integer({ min: -40, max: 40 }),
  movedHours: fc.integer({ min: -12, max: 12 }),
  lengthHours: hours(200),
  zone,
  isCancelled: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
})

const series = fc.record({
  zone,
  lengthHours: hours(60),
  rule: fc.constantFrom(
    'FREQ=WEEKLY',
    'FREQ=WEEKLY;COUNT=70',
    'FREQ=WEEKLY;INTERVAL=2',
    'FREQ=DAILY',
    'FREQ=MONTHLY',
  ),
  exceptions: fc.array(exception, { maxLength: 4 }),
})

test('the answer for any window is the answer for the whole copy, cut to it', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 0, max: 700 * 24 }), hours(30), (one, fromHours, windowHours) => {
      const startMs = COPY.startMs + fromHours * HOUR_MS
      const window = { startMs, endMs: startMs + windowHours * HOUR_MS }
      const text = toText(one)
      const ofCopy = list(text, COPY).filter((time) => overlaps(time, window))
      expect(list(text, window)).toEqual(ofCopy)
    }),
    { numRuns: 150 },
  )
})

test('a weekly series that was moved from Mondays to Fridays is busy on the Friday that is asked about', () => {
  const moved = {
    week: 1,
    isThisAndFuture: true,
    movedDays: 4,
    movedHours: 0,
    lengthHours: 1,
    isCancelled: false,
  }
  const text = toText({
    zone: 'Europe/Berlin',
    lengthHours: 1,
    rule: 'FREQ=WEEKLY',
    exceptions: [{ ...moved, zone: 'Europe/Berlin' }],
  })
  const friday = Date.parse('2027-06-11T08:00Z')
  const window = { startMs: friday - 20 * HOUR_MS, endMs: friday + 6 * HOUR_MS }
  expect(list(text, window)).toEqual([{ startMs: friday, endMs: friday + HOUR_MS }])
})

type Series = typeof series extends fc.Arbitrary<infer One> ? One : never

function list(text: string, window: Interval): Interval[] {
  const file = readCalendarFile(text)
  if (file === null) throw new Error('the calendar is read')
  const read = buildEventReader(file, {
    timeZones: ['Europe/London'],
    window,
    ownerAddresses: new Set(),
    ownUidHost: 'localhost',
  })
  return [...file.events]
    .flatMap(([uid, parts]) => read(uid, parts).occurrences)
    .map(({ startMs, endMs }) => ({ startMs, endMs }))
    .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
}

function toText({ zone: ofSeries, lengthHours, rule, exceptions }: Series): string {
  const at = (tzid: string, ms: number) =>
    `;TZID=${tzid}:${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`
  const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:series', ...lines, 'END:VEVENT']
  const parts = exceptions.map((one) => {
    const oldMs = SERIES_MS + one.week * 7 * DAY_MS
    const newMs = oldMs + one.movedDays * DAY_MS + one.movedHours * HOUR_MS
    return event(
      `RECURRENCE-ID${one.isThisAndFuture ? ';RANGE=THISANDFUTURE' : ''}${at(ofSeries, oldMs)}`,
      `DTSTART${at(one.zone, newMs)}`,
      `DURATION:PT${one.lengthHours}H`,
      one.isCancelled ? 'STATUS:CANCELLED' : 'STATUS:CONFIRMED',
    )
  })
  const master = event(`DTSTART${at(ofSeries, SERIES_MS)}`, `DURATION:PT${lengthHours}H`, `RRULE:${rule}`)
  return ['BEGIN:VCALENDAR', ...master, ...parts.flat(), 'END:VCALENDAR', ''].join('\r\n')
}
