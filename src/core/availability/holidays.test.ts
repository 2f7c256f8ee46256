import { describe, expect, test } from 'vitest'
import { addDays } from '#core/shared/calendar-date.ts'
import * as fc from '#tests/support/fast-check.ts'
import { proposeHolidays } from './holidays.ts'

const TODAY = '2027-01-04'
const GOOD_FRIDAY = { date: '2027-03-26', name: 'Good Friday' }
const MAY_DAY = { date: '2027-05-01', name: 'Labour Day' }
const NOTHING_CHOSEN = { keptOpen: [], specialDays: [], today: TODAY }

describe('public holidays (rules T56 and T57)', () => {
  test('are proposed, the nearest first', () => {
    expect(proposeHolidays([MAY_DAY, GOOD_FRIDAY], NOTHING_CHOSEN)).toEqual([
      { ...GOOD_FRIDAY, state: 'proposed' },
      { ...MAY_DAY, state: 'proposed' },
    ])
  })

  test('of the same date are one, with each name once', () => {
    const ascension = { date: MAY_DAY.date, name: 'Ascension Day' }
    expect(proposeHolidays([MAY_DAY, ascension, MAY_DAY], NOTHING_CHOSEN)).toEqual([
      { date: MAY_DAY.date, name: 'Labour Day, Ascension Day', state: 'proposed' },
    ])
  })

  test('that the owner keeps open are not proposed', () => {
    const choices = { ...NOTHING_CHOSEN, keptOpen: [GOOD_FRIDAY.date] }
    expect(proposeHolidays([GOOD_FRIDAY, MAY_DAY], choices)).toEqual([{ ...MAY_DAY, state: 'proposed' }])
  })

  test.each([
    ['closed', []],
    ['special_hours', ['10:00']],
  ] as const)('on special days are %s', (state, hours) => {
    const specialDays = [{ first: '2027-03-20', last: '2027-03-26', hours }]
    expect(proposeHolidays([GOOD_FRIDAY], { ...NOTHING_CHOSEN, specialDays })).toEqual([
      { ...GOOD_FRIDAY, state },
    ])
  })

  test('are listed from today to the last day that can be booked', () => {
    const found = [-1, 0, 730, 731].map((days) => ({ date: addDays(TODAY, days), name: 'Holiday' }))
    expect(proposeHolidays(found, NOTHING_CHOSEN).map(({ date }) => date)).toEqual([
      TODAY,
      addDays(TODAY, 730),
    ])
  })

  test('are proposed exactly when nothing was decided about their date, and each date is listed once', () => {
    const day = fc.integer({ min: -5, max: 40 }).map((days) => addDays(TODAY, days))
    const found = fc.array(fc.record({ date: day, name: fc.constantFrom('A', 'B') }))
    // Entries on multiples of ten never overlap.
    const specialDays = fc
      .uniqueArray(fc.record({ place: fc.integer({ min: 0, max: 3 }), length: fc.nat({ max: 9 }) }), {
        selector: ({ place }) => place,
      })
      .map((entries) =>
        entries.map(({ place, length }) => ({
          first: addDays(TODAY, place * 10),
          last: addDays(TODAY, place * 10 + length),
          hours: [],
        })),
      )
    fc.assert(
      fc.property(found, fc.array(day), specialDays, (holidays, keptOpen, entries) => {
        const listed = proposeHolidays(holidays, { keptOpen, specialDays: entries, today: TODAY })
        const dates = listed.map(({ date }) => date)
        expect(dates).toEqual([...new Set(dates)].sort())
        const open = (date: string) => !entries.some(({ first, last }) => first <= date && date <= last)
        const undecided = holidays
          .map(({ date }) => date)
          .filter((date) => date >= TODAY && !keptOpen.includes(date) && open(date))
        expect(listed.filter(({ state }) => state === 'proposed').map(({ date }) => date)).toEqual(
          [...new Set(undecided)].sort(),
        )
      }),
    )
  })
})
