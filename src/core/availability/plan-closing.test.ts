import { describe, expect, test } from 'vitest'
import { addDays, listDates } from '#core/shared/calendar-date.ts'
import * as fc from '#tests/support/fast-check.ts'
import { type DateRange, planClosedDays, type SpecialDayEntry } from './plan-closing.ts'

const TODAY = '2027-01-04'
const DAYS = dates('2027-01-10', '2027-01-12')

describe('closing days of a calendar (rules A24 and T34)', () => {
  test('creates one closed entry when there was none', () => {
    expect(planClosedDays([], DAYS, TODAY)).toEqual({ closed: DAYS, cut: [], toCome: 1 })
  })

  test.each([
    ['inside the days keeps nothing', dates('2027-01-11', '2027-01-11'), []],
    ['with exactly the days keeps nothing', DAYS, []],
    [
      'that begins before keeps its first days',
      dates('2027-01-08', '2027-01-10'),
      [dates('2027-01-08', '2027-01-09')],
    ],
    [
      'that ends after keeps its last days',
      dates('2027-01-12', '2027-01-31'),
      [dates('2027-01-13', '2027-01-31')],
    ],
    [
      'that reaches beyond on both sides becomes two',
      dates('2026-12-20', '2027-03-02'),
      [dates('2026-12-20', '2027-01-09'), dates('2027-01-13', '2027-03-02')],
    ],
  ])('an entry %s', (_what, days, kept) => {
    const entry = { ...days, hours: ['09:00'] }
    expect(planClosedDays([entry], DAYS, TODAY)).toEqual({
      closed: DAYS,
      cut: [{ entry, kept }],
      toCome: kept.length + 1,
    })
  })

  test('does not change entries that only touch the days', () => {
    const entries = [dates('2027-01-05', '2027-01-09'), dates('2027-01-13', '2027-01-14')].map(open)
    expect(planClosedDays(entries, DAYS, TODAY)).toEqual({ closed: DAYS, cut: [], toCome: 3 })
  })

  test('starts today at the earliest, and does not count the past part of an entry', () => {
    const entry = open(dates('2027-01-09', '2027-01-11'))
    expect(planClosedDays([entry], dates('2027-01-08', '2027-01-10'), '2027-01-10')).toEqual({
      closed: dates('2027-01-10', '2027-01-10'),
      cut: [{ entry, kept: [dates('2027-01-09', '2027-01-09'), dates('2027-01-11', '2027-01-11')] }],
      toCome: 2,
    })
  })

  test('does nothing for past days', () => {
    expect(planClosedDays([], DAYS, '2027-01-13')).toBeNull()
  })

  test('does nothing when one entry already closes the days, so that a holiday is not split', () => {
    const holiday = { ...dates('2027-01-01', '2027-01-31'), hours: [] }
    expect(planClosedDays([holiday], DAYS, TODAY)).toBeNull()
  })
})

test('afterwards these days are closed, all other days are unchanged, and no date is in two entries (property)', () => {
  fc.assert(
    fc.property(anyEntries(), anyDates(), fc.integer({ min: 0, max: 60 }), (all, days, todayAt) => {
      const today = addDays(FIRST, todayAt)
      const entries = all.filter(({ last }) => last >= today)
      const plan = planClosedDays(entries, days, today)
      const after = plan === null ? entries : carryOut(entries, plan)
      for (const date of listDates(FIRST, 80)) {
        const found = after.filter((entry) => has(entry, date))
        const before = entries.find((entry) => has(entry, date))
        expect(found.length).toBeLessThanOrEqual(1)
        const isClosed = date >= today && has(days, date)
        expect(found[0]?.hours).toEqual(isClosed ? [] : before?.hours)
      }
      if (plan !== null) expect(after.filter(({ last }) => last >= today)).toHaveLength(plan.toCome)
    }),
  )
})

const FIRST = '2027-01-01'

/** Random special days in order, some of them closed; no two entries share a date. */
function anyEntries(): fc.Arbitrary<SpecialDayEntry[]> {
  const anyEntry = fc.record({
    gap: fc.integer({ min: 1, max: 9 }),
    more: fc.integer({ min: 0, max: 9 }),
    isOpen: fc.boolean(),
  })
  return fc.array(anyEntry, { maxLength: 6 }).map((parts) => {
    let last = addDays(FIRST, -1)
    return parts.map(({ gap, more, isOpen }, i) => {
      const first = addDays(last, gap)
      last = addDays(first, more)
      return { first, last, hours: isOpen ? [`hours of ${i}`] : [] }
    })
  })
}

function anyDates(): fc.Arbitrary<DateRange> {
  return fc
    .record({ from: fc.integer({ min: 0, max: 60 }), more: fc.integer({ min: 0, max: 12 }) })
    .map(({ from, more }) => dates(addDays(FIRST, from), addDays(FIRST, from + more)))
}

function carryOut(
  entries: readonly SpecialDayEntry[],
  { closed, cut }: NonNullable<ReturnType<typeof planClosedDays<SpecialDayEntry>>>,
): SpecialDayEntry[] {
  const kept = cut.flatMap(({ entry, kept: parts }) => parts.map((part) => ({ ...entry, ...part })))
  const untouched = entries.filter((entry) => !cut.some((one) => one.entry === entry))
  return [...untouched, ...kept, { ...closed, hours: [] }]
}

function has({ first, last }: DateRange, date: string): boolean {
  return first <= date && date <= last
}

function open(days: DateRange): SpecialDayEntry {
  return { ...days, hours: ['09:00'] }
}

function dates(first: string, last: string): DateRange {
  return { first, last }
}
