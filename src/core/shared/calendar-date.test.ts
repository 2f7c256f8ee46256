import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { addDays, dayOfWeek, isDate, listDates } from './calendar-date.ts'

describe('isDate', () => {
  test.each(['1970-01-01', '2024-02-29', '2200-12-31'])('takes %s', (text) => {
    expect(isDate(text)).toBe(true)
  })

  test.each([
    '1969-12-31',
    '2201-01-01',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-1',
    '20270101',
    ' 2027-01-01',
    '2027-01-01\n',
    '2027-01-01T00:00',
    '+2027-01-01',
    '',
  ])('refuses %j', (text) => {
    expect(isDate(text)).toBe(false)
  })
})

test('days are added, listed and named as in Temporal', () => {
  fc.assert(
    fc.property(anyDate(), fc.integer({ min: -400, max: 400 }), (date, days) => {
      const plain = Temporal.PlainDate.from(date)
      expect(addDays(date, days)).toBe(plain.add({ days }).toString())
      expect(dayOfWeek(date)).toBe(plain.dayOfWeek % 7)
      const count = Math.abs(days)
      expect(listDates(date, count)).toEqual(
        Array.from({ length: count }, (_, i) => plain.add({ days: i }).toString()),
      )
    }),
  )
})

function anyDate(): fc.Arbitrary<string> {
  const last = Temporal.PlainDate.from('1970-01-01').until('2200-12-31').days
  return fc
    .integer({ min: 0, max: last })
    .map((days) => Temporal.PlainDate.from('1970-01-01').add({ days }).toString())
}
