import { describe, expect, test } from 'vitest'
import type { WeeklyOpening } from '#core/availability/weekly-opening.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localTimeOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { NO_LIMITS } from './booking-limits.ts'
import { ALL_DATES } from './booking-window.ts'
import { NO_OWNERS_WORK } from './occupied-time.ts'
import { getBusyTimeWindow, listOpenSlots, type OpenSlotsQuery } from './open-slots.ts'
import { DEFAULT_SLOT_RULES, type SlotRules } from './slot-rules.ts'

const [SUNDAY, MONDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 4, 5, 6] as const
const HOURLY: SlotRules = { ...DEFAULT_SLOT_RULES, slotMinutes: 60, maxDurationMinutes: 480 }
const HALF_HOURLY: SlotRules = { ...HOURLY, slotMinutes: 30 }
const DAY_MS = 24 * 60 * 60_000

describe('listOpenSlots', () => {
  test('lists every date of the range in order, including dates without slots', () => {
    const days = listOpenSlots(
      query({ firstDate: '2027-02-27', dayCount: 4, openings: [opening(MONDAY, '09:00', '10:00')] }),
    )
    expect(days.map((day) => [day.date, day.startsMs.length])).toEqual([
      ['2027-02-27', 0],
      ['2027-02-28', 0],
      ['2027-03-01', 2],
      ['2027-03-02', 0],
    ])
  })

  test('a slot can continue into the date after the range', () => {
    const openings = [opening(SUNDAY, '23:00', '24:00'), opening(MONDAY, '00:00', '01:00')]
    expect(timesOf({ firstDate: '2027-01-03', openings, durationMinutes: 60 })).toEqual(['23:00', '23:30'])
    expect(timesOf({ firstDate: '2027-01-04', openings, durationMinutes: 60 })).toEqual(['00:00'])
  })

  test('a slot can continue through many adjacent openings', () => {
    const openings = ['09:00', '09:20', '09:40', '10:00'].map((start, i, starts) =>
      opening(MONDAY, start, starts[i + 1] ?? '10:20'),
    )
    expect(timesOf({ openings, durationMinutes: 60 })).toEqual(['09:00', '09:20'])
  })

  test('accepts openings and busy times in any order', () => {
    const openings = [opening(MONDAY, '13:00', '14:00'), opening(MONDAY, '09:00', '10:00')]
    const busy = [utc('13:00', '13:30'), utc('09:30', '10:00'), utc('13:10', '13:20')]
    expect(timesOf({ openings, busy })).toEqual(['09:00', '13:30'])
  })

  test('offers a start once when a skipped hour makes two openings overlap', () => {
    const openings = [opening(SUNDAY, '01:00', '02:30'), opening(SUNDAY, '03:00', '04:00')]
    expect(timesOf({ ...newYorkSpring, openings })).toEqual(['01:00', '01:30', '03:00', '03:30'])
  })

  test('the grid of an opening ends with it, also when a skipped hour makes another opening overlap its end', () => {
    const openings = [opening(SUNDAY, '01:10', '02:10'), opening(SUNDAY, '03:00', '05:00')]
    expect(timesOf({ ...newYorkSpring, openings, rules: HOURLY })).toEqual(['01:10', '03:00', '04:00'])
  })

  test('drops an opening that lies in a skipped hour', () => {
    expect(timesOf({ ...newYorkSpring, openings: [opening(SUNDAY, '02:15', '03:00')] })).toEqual([])
  })

  test('joins two openings when the break between them is skipped', () => {
    const openings = [opening(SUNDAY, '01:00', '02:00'), opening(SUNDAY, '03:00', '04:00')]
    expect(timesOf({ ...newYorkSpring, openings, durationMinutes: 120, rules: HOURLY })).toEqual(['01:00'])
  })

  test('puts a slot on the date of its start when clocks go back over midnight', () => {
    // On 2010-11-07 the clocks in St. John's went back from 00:01 to 23:01 of the previous day.
    const openings = [opening(SUNDAY, '00:00', '01:00')]
    const saintJohns = { timeZone: 'America/St_Johns', openings }
    expect(timesOf({ ...saintJohns, firstDate: '2010-11-06' })).toEqual(['23:30'])
    expect(timesOf({ ...saintJohns, firstDate: '2010-11-07' })).toEqual(['00:00', '00:00', '00:30'])
  })

  test('converts openings of a skipped date with the offset before it', () => {
    // 2011-12-30 did not exist in Samoa: Thursday the 29th was followed by Saturday the 31st.
    const apia = { timeZone: 'Pacific/Apia', openings: [opening(FRIDAY, '09:00', '10:00')] }
    expect(timesOf({ ...apia, firstDate: '2011-12-30' })).toEqual([])
    expect(timesOf({ ...apia, firstDate: '2011-12-31' })).toEqual(['09:00', '09:30'])
  })

  test('joins openings across a skipped date', () => {
    const openings = [opening(THURSDAY, '23:00', '24:00'), opening(SATURDAY, '00:00', '01:00')]
    const apia = { timeZone: 'Pacific/Apia', openings, firstDate: '2011-12-29', durationMinutes: 60 }
    expect(timesOf(apia)).toEqual(['23:00', '23:30'])
  })

  test('a start right now is past', () => {
    const openings = [opening(MONDAY, '09:00', '10:00')]
    expect(timesOf({ openings, nowMs: utcMs('09:00') })).toEqual(['09:30'])
    expect(timesOf({ openings, nowMs: utcMs('09:00') - 1 })).toEqual(['09:00', '09:30'])
  })

  test('a start is at least the minimum notice away, in elapsed time', () => {
    const openings = [opening(MONDAY, '09:00', '10:00')]
    const rules = { ...HALF_HOURLY, noticeMinutes: 60 }
    expect(timesOf({ openings, rules, nowMs: utcMs('08:00') })).toEqual(['09:00', '09:30'])
    expect(timesOf({ openings, rules, nowMs: utcMs('08:00') + 1 })).toEqual(['09:30'])
    expect(timesOf({ openings, rules, nowMs: utcMs('08:31') })).toEqual([])
  })

  test('offers starts up to exactly 730 days ahead', () => {
    const openings = [opening(MONDAY, '09:00', '10:00')]
    expect(timesOf({ openings, nowMs: utcMs('09:00') - 730 * DAY_MS })).toEqual(['09:00'])
    expect(timesOf({ openings, nowMs: utcMs('09:00') - 730 * DAY_MS - 1 })).toEqual([])
  })

  test('offers starts to the end of the last day of the booking window', () => {
    const openings = [opening(MONDAY, '00:00', '24:00')]
    const newYork = { openings, timeZone: 'America/New_York', nowMs: Date.parse('2027-01-03T04:59:00Z') }
    // It is still Saturday in New York.
    const timesUntil = (until: string) => timesOf({ ...newYork, bookable: { from: null, until } })
    expect(timesUntil('2027-01-03')).toEqual([])
    expect(timesUntil('2027-01-04')).toHaveLength(48)
    expect(timesUntil('2027-01-04').at(-1)).toBe('23:30')
  })

  test('an empty busy time blocks nothing, even with a buffer', () => {
    const openings = [opening(MONDAY, '09:00', '10:00')]
    const rules = { ...HALF_HOURLY, bufferMinutes: 60 }
    expect(timesOf({ openings, rules, busy: [utc('09:30', '09:30')] })).toEqual(['09:00', '09:30'])
  })

  test('a busy time of a millisecond blocks its slot', () => {
    const openings = [opening(MONDAY, '09:00', '10:00')]
    const busy = [{ startMs: utcMs('09:30') - 1, endMs: utcMs('09:30') }]
    expect(timesOf({ openings, busy })).toEqual(['09:30'])
  })

  test('keeps the seconds of an opening', () => {
    const openings = [{ dayOfWeek: MONDAY, startSeconds: 9 * 3_600 + 1, endSeconds: 10 * 3_600 + 1 }]
    const startsMs = listOpenSlots(query({ openings }))[0]?.startsMs
    expect(startsMs?.map((startMs) => localTimeOf(startMs, 'UTC'))).toEqual(['09:00:01', '09:30:01'])
  })

  test('supports the first and the last supported date', () => {
    const openings = [opening(THURSDAY, '09:00', '09:30')]
    expect(timesOf({ firstDate: '1970-01-01', openings, timeZone: 'Pacific/Apia' })).toEqual(['09:00'])
    expect(listOpenSlots(query({ firstDate: '2200-12-31', dayCount: 366, openings }))).toHaveLength(366)
  })

  test.each([
    { dayCount: 0 },
    { dayCount: 367 },
    { dayCount: 1.5 },
    { durationMinutes: 0 },
    { durationMinutes: Number.NaN },
    { firstDate: 'soon' },
    { timeZone: 'Europe/Atlantis' },
  ])('refuses %o', (bad) => {
    expect(() => listOpenSlots(query(bad))).toThrow(RangeError)
  })
})

describe('busyWindow', () => {
  test('spans the first and last day in any zone, with the longest buffer, work and slot', () => {
    expect(getBusyTimeWindow({ firstDate: '2027-01-04', dayCount: 2 })).toEqual({
      startMs: Date.parse('2027-01-04T00:00:00+14:00') - (60 + 240 + 5) * 60_000,
      endMs: Date.parse('2027-01-06T00:00:00-12:00') + (480 + 60 + 240 + 5) * 60_000,
    })
  })
})

const newYorkSpring = { firstDate: '2027-03-14', timeZone: 'America/New_York' }

/** Completes a query. Its date, 2027-01-04, is an ordinary Monday. */
function query(given: Partial<OpenSlotsQuery>): OpenSlotsQuery {
  return {
    firstDate: '2027-01-04',
    dayCount: 1,
    timeZone: 'UTC',
    durationMinutes: 30,
    ...NO_OWNERS_WORK,
    ...NO_LIMITS,
    bookable: ALL_DATES,
    rules: HALF_HOURLY,
    openings: [],
    specialDays: [],
    busy: [],
    locationBusy: [],
    nowMs: null,
    ...given,
  }
}

function timesOf(given: Partial<OpenSlotsQuery>): string[] {
  const asked = query(given)
  const startsMs = listOpenSlots(asked).flatMap((day) => day.startsMs)
  return startsMs.map((startMs) => localTimeOf(startMs, asked.timeZone).slice(0, 5))
}

function opening(dayOfWeek: number, start: string, end: string): WeeklyOpening {
  return { dayOfWeek, startSeconds: secondsOf(start), endSeconds: secondsOf(end) }
}

function utc(start: string, end: string): Interval {
  return { startMs: utcMs(start), endMs: utcMs(end) }
}

function utcMs(time: string): number {
  return toEpochMs('2027-01-04', secondsOf(time), 'UTC')
}

function secondsOf(time: string): number {
  return Number(time.slice(0, 2)) * 3_600 + Number(time.slice(3)) * 60
}
