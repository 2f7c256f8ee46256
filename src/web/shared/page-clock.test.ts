import { expect, test } from 'vitest'
import { formatLongDate } from './format-date.ts'
import { choosePageTimeZone, formatInPageTimeZone } from './page-clock.ts'

const AT = '2026-12-02T09:00:00Z'
const BOOKED = { starts_at: AT, time_zone: 'Europe/London', hour_cycle: 'h12', is_online: false } as const

test.each([
  ['in person, from elsewhere', false, 'Pacific/Auckland', 'Europe/London'],
  ['online, from elsewhere', true, 'Pacific/Auckland', 'Pacific/Auckland'],
  ['online, from a zone with the same clock', true, 'Europe/Lisbon', 'Europe/London'],
  ['online, with a zone that is not known', true, null, 'Europe/London'],
])('a page about an appointment %s is on the clock that it names first', (_how, is_online, own, clock) => {
  expect(choosePageTimeZone({ ...BOOKED, is_online, customer_time_zone: own }).timeZone).toBe(clock)
})

test('the clock on which a time was chosen stays that of the page', () => {
  const appointment = { ...BOOKED, customer_time_zone: 'Pacific/Auckland' }
  expect(choosePageTimeZone(appointment, 'visitor').timeZone).toBe('Pacific/Auckland')
  expect(choosePageTimeZone({ ...appointment, is_online: true }, 'calendar').timeZone).toBe('Europe/London')
})

test.each([
  [['Europe/London'], 'December 2, 2026, 9:00 AM'],
  [['Europe/Lisbon', 'Africa/Abidjan'], 'December 2, 2026, 9:00 AM'],
  [['Europe/London', 'Pacific/Auckland'], 'December 2, 2026, 9:00 AM London time (GMT)'],
])('for a reader in %j a time in London is %s', (readerZones, text) => {
  const clock = { timeZone: 'Europe/London', hourCycle: 'h12', readerZones } as const
  expect(formatInPageTimeZone(clock, AT, formatLongDate)).toBe(text)
})

test('two clocks that agree in winter are told apart in summer', () => {
  const clock = { timeZone: 'Europe/London', hourCycle: 'h12', readerZones: ['Africa/Abidjan'] } as const
  expect(formatInPageTimeZone(clock, '2026-12-02T09:00:00Z')).toBe('9:00 AM')
  expect(formatInPageTimeZone(clock, '2026-07-02T09:00:00Z')).toBe('10:00 AM London time (BST)')
})

test('the page has the clock of the calendar, whichever time zone it shows', () => {
  const appointment = { ...BOOKED, hour_cycle: 'h23', customer_time_zone: 'Pacific/Auckland' } as const
  expect(formatInPageTimeZone(choosePageTimeZone(appointment, 'visitor'), AT)).toBe(
    '22:00 Auckland time (NZDT)',
  )
})
