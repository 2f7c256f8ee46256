import { describe, expect, test } from 'vitest'
import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import * as fc from '#tests/support/fast-check.ts'
import { ALL_DATES, type BookingWindow, toBookableTime, windowBounds } from './booking-window.ts'
import {
  describeDateOutsideWindow,
  describeWindow,
  describeWindowToCustomers,
  nameWindow,
} from './describe-window.ts'

/** A Monday. */
const TODAY = '2027-03-01'
const NINE_TO_FIVE = { startSeconds: 9 * 3_600, endSeconds: 17 * 3_600 }
const CLOSED = { startSeconds: 0, endSeconds: 0 }
/** Open on Mondays, Wednesdays and Fridays. */
const HOURS = {
  openings: [1, 3, 5].map((dayOfWeek) => ({ dayOfWeek, ...NINE_TO_FIVE })),
  specialDays: [],
}

describe('the dates of a window', () => {
  test.each<[BookingWindow, string | null, string | null]>([
    [{ kind: 'none' }, null, null],
    [{ kind: 'days', days: 0 }, null, TODAY],
    [{ kind: 'days', days: 30 }, null, '2027-03-31'],
    [{ kind: 'open_days', days: 0 }, null, TODAY],
    [{ kind: 'open_days', days: 1 }, null, '2027-03-03'],
    [{ kind: 'open_days', days: 3 }, null, '2027-03-08'],
    [{ kind: 'until', until: '2027-03-12' }, null, '2027-03-12'],
    [{ kind: 'until', until: '2027-02-01' }, null, '2027-02-01'],
    [{ kind: 'between', from: '2027-03-10', until: '2027-03-12' }, '2027-03-10', '2027-03-12'],
  ])('of %j. Source: rule T67', (window, from, until) => {
    expect(windowBounds(window, HOURS, TODAY)).toEqual({ from, until })
  })

  test('open days are counted with special days, which close some and open others', () => {
    const wednesday = toDayNumber('2027-03-03')
    const specialDays = [
      { firstDay: wednesday, lastDay: wednesday, hours: [CLOSED] },
      { firstDay: wednesday + 1, lastDay: wednesday + 1, hours: [NINE_TO_FIVE] },
    ]
    const bounds = windowBounds({ kind: 'open_days', days: 1 }, { ...HOURS, specialDays }, TODAY)
    expect(bounds.until).toBe('2027-03-04')
  })

  test('open days of a calendar without hours, or with too few open days, end after 730 days', () => {
    const closed = { openings: [], specialDays: [] }
    const end = addDays(TODAY, 730)
    expect(windowBounds({ kind: 'open_days', days: 1 }, closed, TODAY).until).toBe(end)
    expect(windowBounds({ kind: 'open_days', days: 730 }, HOURS, TODAY).until).toBe(end)
  })

  test('a last date that nobody can reach is no bound', () => {
    expect(windowBounds({ kind: 'until', until: '2200-12-31' }, HOURS, TODAY)).toEqual(ALL_DATES)
  })

  test('the number of open days after today, up to the last date, is that of the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 400 }), (days, offset) => {
        const today = addDays(TODAY, offset)
        const { until } = windowBounds({ kind: 'open_days', days }, HOURS, today)
        let open = 0
        for (let date = addDays(today, 1); date <= (until ?? ''); date = addDays(date, 1))
          if ([1, 3, 5].includes(new Date(date).getUTCDay())) open++
        expect(open).toBe(days)
      }),
    )
  })
})

test.each([
  ['Europe/London', '2027-03-28'],
  ['Europe/London', '2027-10-31'],
  ['America/Santiago', '2027-09-05'],
  ['America/Havana', '2027-11-07'],
  ['Pacific/Kiritimati', '2027-03-28'],
])('in %s the last day %s counts from its first instant to its last. Source: rule T68', (zone, date) => {
  const { startMs, endMs } = toBookableTime({ from: date, until: date }, zone)
  expect(startMs).toBe(toEpochMs(date, 0, zone))
  const dateAt = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(ms)
  expect([dateAt(startMs), dateAt(startMs - 1)]).toEqual([date, addDays(date, -1)])
  expect([dateAt(endMs - 1), dateAt(endMs)]).toEqual([date, addDays(date, 1)])
})

describe('what is said about a window', () => {
  test.each<[BookingWindow, string, string]>([
    [{ kind: 'none' }, '2 years', 'Customers can book up to two years ahead.'],
    [{ kind: 'days', days: 0 }, 'Only today', 'Customers can book today only.'],
    [{ kind: 'days', days: 1 }, 'Today and tomorrow', 'Customers can book until the end of tomorrow.'],
    [
      { kind: 'days', days: 11 },
      '11 days',
      'Customers can book today and the next 11 days, now until Friday, March 12, 2027.',
    ],
    [
      { kind: 'open_days', days: 1 },
      'Today and 1 open day',
      'Customers can book today and the next day with opening hours.',
    ],
    [
      { kind: 'open_days', days: 5 },
      '5 open days',
      'Customers can book today and the next 5 days with opening hours.',
    ],
    [
      { kind: 'until', until: '2027-03-12' },
      'Until March 12, 2027',
      'Customers can book until Friday, March 12, 2027.',
    ],
    [
      { kind: 'between', from: '2027-03-02', until: '2027-03-12' },
      'March 2, 2027 to March 12, 2027',
      'Customers can book from tomorrow until Friday, March 12, 2027.',
    ],
    [
      { kind: 'until', until: '2027-02-28' },
      'Until February 28, 2027',
      'Customers could book until Sunday, February 28, 2027. Now they can’t.',
    ],
  ])('to the owner about %j', (window, name, sentence) => {
    expect(nameWindow(window)).toBe(name)
    expect(describeWindow(window, TODAY)).toBe(sentence)
  })

  test.each<[BookingWindow, string | null, string, string]>([
    [
      { kind: 'days', days: 10 },
      'You can book until March 11, 2027. Each later day opens 10 days before.',
      '2027-03-20',
      'You can book this day from Wednesday, March 10, 2027.',
    ],
    [
      { kind: 'until', until: '2027-03-12' },
      'You can book until March 12, 2027.',
      '2027-03-20',
      'You can book until Friday, March 12, 2027.',
    ],
    [
      { kind: 'between', from: '2027-03-10', until: '2027-03-12' },
      'You can book from March 10, 2027 until March 12, 2027.',
      '2027-03-03',
      'You can book from Wednesday, March 10, 2027.',
    ],
    [
      { kind: 'until', until: '2027-02-01' },
      'Bookings ended on February 1, 2027.',
      '2027-03-03',
      'Bookings ended on February 1, 2027.',
    ],
  ])('to customers about %j. Source: rule T70', (window, text, date, note) => {
    const dates = windowBounds(window, HOURS, TODAY)
    expect(describeWindowToCustomers(window, dates, TODAY)).toBe(text)
    expect(describeDateOutsideWindow(window, dates, { date, today: TODAY })).toBe(note)
  })
})
