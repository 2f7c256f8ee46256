import { expect, test } from 'vitest'
import { findZoneCityTimeName, toCurrentZoneName, zoneAbbreviation, zoneCityOf } from './zone-names.ts'

const WINTER = Date.UTC(2027, 0, 4)
const SUMMER = Date.UTC(2027, 6, 5)

test.each([
  ['Europe/London', WINTER, 'GMT'],
  ['Europe/London', SUMMER, 'BST'],
  ['America/New_York', WINTER, 'EST'],
  ['America/St_Johns', WINTER, 'NST'],
  ['Australia/Sydney', WINTER, 'AEDT'],
  ['Asia/Kathmandu', WINTER, 'GMT+5:45'],
  ['UTC', WINTER, 'UTC'],
])('%s at %i is called %s', (timeZone, atMs, name) => {
  expect(zoneAbbreviation(timeZone, atMs)).toBe(name)
})

test('a zone has the current name of its city, also when the browser reports an older name', () => {
  expect(zoneCityOf('Asia/Calcutta')).toBe('Kolkata')
  expect(zoneCityOf('Asia/Katmandu')).toBe('Kathmandu')
  expect(zoneCityOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  expect(zoneCityOf('America/New_York')).toBe('New York')
})

test.each([
  ['Etc/GMT+5', 'GMT-5'],
  ['Etc/GMT-14', 'GMT+14'],
  ['Etc/GMT-0', 'GMT'],
  ['Etc/UTC', 'UTC'],
])('%s, which is named after no place, is called %s', (timeZone, name) => {
  expect(zoneCityOf(timeZone)).toBe(name)
  expect(findZoneCityTimeName(timeZone)).toBeNull()
})

test('every older name has the same local time as the current name', () => {
  for (const zone of [
    'Asia/Calcutta',
    'Asia/Katmandu',
    'Europe/Kiev',
    'America/Godthab',
    'Atlantic/Faeroe',
  ]) {
    const clock = (timeZone: string) =>
      new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'short', timeStyle: 'long' }).format(SUMMER)
    expect(toCurrentZoneName(zone)).not.toBe(zone)
    expect(clock(toCurrentZoneName(zone))).toBe(clock(zone))
  }
})
