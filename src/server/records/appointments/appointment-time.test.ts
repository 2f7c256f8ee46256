import { describe, expect, test } from 'vitest'
import {
  describeAppointmentTime,
  describeDuration,
  describeStartForSubject,
  describeTimeInOtherZone,
  formatAppointmentTime,
  haveSameLocalTime,
} from './appointment-time.ts'

const LONDON = { timeZone: 'Europe/London' }

describe('describeAppointmentTime', () => {
  test.each([
    [
      'in London in winter',
      'Europe/London',
      '2026-12-01T09:30:00Z',
      'Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)',
    ],
    [
      'in London in summer',
      'Europe/London',
      '2026-07-01T08:30:00Z',
      'Wednesday, July 1, 2026, 9:30 AM – 10:00 AM (London time, BST)',
    ],
    [
      'in Kathmandu, 5:45 ahead',
      'Asia/Kathmandu',
      '2026-12-01T18:00:00Z',
      'Tuesday, December 1, 2026, 11:45 PM – Wednesday, December 2, 12:15 AM (Kathmandu time, GMT+5:45)',
    ],
    [
      "in St. John's, 3:30 behind",
      'America/St_Johns',
      '2026-12-01T12:00:00Z',
      'Tuesday, December 1, 2026, 8:30 AM – 9:00 AM (St Johns time, NST)',
    ],
    [
      'in a zone of three parts',
      'America/Argentina/Buenos_Aires',
      '2026-12-01T15:00:00Z',
      'Tuesday, December 1, 2026, 12:00 PM – 12:30 PM (Buenos Aires time, GMT-3)',
    ],
    ['in UTC', 'UTC', '2026-12-01T00:00:00Z', 'Tuesday, December 1, 2026, 12:00 AM – 12:30 AM (UTC)'],
    [
      'in a zone of the sea',
      'Etc/GMT+5',
      '2026-12-01T12:00:00Z',
      'Tuesday, December 1, 2026, 7:00 AM – 7:30 AM (GMT-5)',
    ],
  ])('names date, clock and zone %s', (_where, timeZone, startsAt, sentence) => {
    expect(
      formatAppointmentTime(describeAppointmentTime(startsAt, plusMinutes(startsAt, 30), { timeZone })),
    ).toBe(sentence)
  })

  test('shows the real clock on both sides of the hour that is skipped in spring', () => {
    const time = describeAppointmentTime('2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', LONDON)
    expect(formatAppointmentTime(time)).toBe(
      'Sunday, March 29, 2026, 12:30 AM GMT – 2:30 AM BST (London time)',
    )
  })

  test('tells the two readings of the hour that is repeated in autumn apart', () => {
    const across = describeAppointmentTime('2026-10-25T00:45:00Z', '2026-10-25T01:15:00Z', LONDON)
    expect(formatAppointmentTime(across)).toBe(
      'Sunday, October 25, 2026, 1:45 AM BST – 1:15 AM GMT (London time)',
    )
    const first = describeAppointmentTime('2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', LONDON)
    const second = describeAppointmentTime('2026-10-25T01:30:00Z', '2026-10-25T01:45:00Z', LONDON)
    expect(first.clock).toBe(second.clock)
    expect([first.zone, second.zone]).toEqual(['London time, BST', 'London time, GMT'])
  })

  test.each([
    ['at midnight', '2026-12-01T00:00:00Z', 'Tuesday, December 1, 2026, 00:00 – 00:30 (London time, GMT)'],
    ['at noon', '2026-12-01T12:00:00Z', 'Tuesday, December 1, 2026, 12:00 – 12:30 (London time, GMT)'],
    [
      'over midnight',
      '2026-12-01T23:45:00Z',
      'Tuesday, December 1, 2026, 23:45 – Wednesday, December 2, 00:15 (London time, GMT)',
    ],
    [
      'when the clocks go back',
      '2026-10-25T00:45:00Z',
      'Sunday, October 25, 2026, 01:45 BST – 01:15 GMT (London time)',
    ],
  ])('has no AM and PM on the 24-hour clock %s', (_when, startsAt, sentence) => {
    const clock = { ...LONDON, hourCycle: 'h23' } as const
    const time = describeAppointmentTime(startsAt, plusMinutes(startsAt, 30), clock)
    expect(formatAppointmentTime(time)).toBe(sentence)
  })

  test('puts only plain spaces between its words', () => {
    const sentence = formatAppointmentTime(
      describeAppointmentTime('2026-12-01T09:30:00Z', '2026-12-01T10:00:00Z', { timeZone: 'UTC' }),
    )
    expect(sentence.replace(/ /g, '')).not.toMatch(/\s/)
  })

  test('says where in the local day it starts', () => {
    const at = (timeZone: string) =>
      describeAppointmentTime('2026-12-01T18:14:00Z', '2026-12-01T18:30:00Z', { timeZone }).startMinuteOfDay
    expect([at('UTC'), at('Asia/Kathmandu')]).toEqual([18 * 60 + 14, 23 * 60 + 59])
  })
})

test('zones agree when their clocks read the same at that instant, not when their names are alike', () => {
  expect(haveSameLocalTime('2026-12-01T09:30:00Z', 'Europe/Paris', 'Europe/Berlin')).toBe(true)
  expect(haveSameLocalTime('2026-12-01T09:30:00Z', 'Europe/London', 'Africa/Abidjan')).toBe(true)
  expect(haveSameLocalTime('2026-07-01T09:30:00Z', 'Europe/London', 'Africa/Abidjan')).toBe(false)
})

test.each([
  [5, '5 minutes'],
  [60, '1 hour'],
  [61, '1 hour 1 minute'],
  [150, '2 hours 30 minutes'],
  [1_440, '24 hours'],
])('%i minutes are %s, also over a change of clocks', (minutes, words) => {
  const startsAt = '2026-10-25T00:45:00Z'
  expect(describeDuration(startsAt, plusMinutes(startsAt, minutes))).toBe(words)
})

function plusMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString()
}

describe('a time beside another clock', () => {
  const time = {
    startsAt: '2026-12-01T09:30:00Z',
    endsAt: '2026-12-01T10:00:00Z',
    timeZone: 'America/New_York',
  }

  test('is named with its own clock, and said on the other one too', () => {
    expect(describeStartForSubject(time, 'Europe/London')).toBe(
      'Tuesday, December 1, 4:30 AM (New York time, EST)',
    )
    expect(describeTimeInOtherZone(time, { name: 'Ada', timeZone: 'Europe/London' })).toBe(
      'For Ada: 9:30 AM – 10:00 AM (London time, GMT)',
    )
  })

  test('that reads the same needs neither', () => {
    expect(describeStartForSubject(time, 'America/Toronto')).toBe('Tuesday, December 1, 4:30 AM')
    expect(describeStartForSubject(time, 'America/Toronto', 'Europe/London')).toContain(
      '(New York time, EST)',
    )
    expect(describeTimeInOtherZone(time, { name: 'Ada', timeZone: 'America/Toronto' })).toBeNull()
  })
})
