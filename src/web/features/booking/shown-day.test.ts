import { describe, expect, test } from 'vitest'
import { calendarDatesOf, dateOfInstant } from './shown-day.ts'

describe('calendarDatesOf', () => {
  test('in the zone of the calendar a day is itself', () => {
    expect(calendarDatesOf('2026-12-01', 'Europe/London', 'Europe/London')).toEqual(['2026-12-01'])
  })

  test('a day in Kathmandu begins on the evening before in London', () => {
    expect(calendarDatesOf('2026-12-01', 'Asia/Kathmandu', 'Europe/London')).toEqual([
      '2026-11-30',
      '2026-12-01',
    ])
  })

  test("a day in St. John's ends on the morning after in London", () => {
    expect(calendarDatesOf('2026-12-01', 'America/St_Johns', 'Europe/London')).toEqual([
      '2026-12-01',
      '2026-12-02',
    ])
  })

  test('the day may lie wholly before the date of the same name', () => {
    expect(calendarDatesOf('2026-12-03', 'Pacific/Kiritimati', 'Etc/GMT+12')).toEqual([
      '2026-12-01',
      '2026-12-02',
    ])
  })

  test('a day of 25 hours can touch three dates', () => {
    // St. John's: from 02:30Z on 1 November to 03:30Z on the 2nd. Midnight in São Paulo is at 03:00Z.
    expect(calendarDatesOf('2026-11-01', 'America/St_Johns', 'America/Sao_Paulo')).toEqual([
      '2026-10-31',
      '2026-11-01',
      '2026-11-02',
    ])
  })

  test('zones that share their clocks give one date, also on a change-over day', () => {
    expect(calendarDatesOf('2026-03-29', 'Europe/Paris', 'Europe/Berlin')).toEqual(['2026-03-29'])
    expect(calendarDatesOf('2026-10-25', 'Europe/Paris', 'Europe/Berlin')).toEqual(['2026-10-25'])
  })
})

describe('dateOfInstant', () => {
  test('is the day on the clocks of the zone', () => {
    expect(dateOfInstant('2026-12-01T20:00:00Z', 'Asia/Kathmandu')).toBe('2026-12-02')
    expect(dateOfInstant('2026-12-01T03:00:00Z', 'America/St_Johns')).toBe('2026-11-30')
  })
})
