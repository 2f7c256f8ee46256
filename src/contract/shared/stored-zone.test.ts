import { expect, test } from 'vitest'
import { makeUtcOffsetLookup } from '#core/shared/zone-probe.ts'
import { COMMON_TIME_ZONES } from './limits.ts'
import { findCanonicalTimeZone } from './stored-zone.ts'

test.each([
  ['Europe/London', 'Europe/London'],
  ['europe/london', 'Europe/London'],
  ['EUROPE/AMSTERDAM', 'Europe/Amsterdam'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['europe/kiev', 'Europe/Kyiv'],
  ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
  ['us/eastern', 'America/New_York'],
  ['GB', 'Europe/London'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['etc/gmt+5', 'Etc/GMT+5'],
])('%s is stored as %s', (given, stored) => {
  expect(findCanonicalTimeZone(given)).toBe(stored)
})

test('a stored zone has the same local time, and is stored under itself', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), ...COMMON_TIME_ZONES]
  for (const zone of zones) {
    const stored = findCanonicalTimeZone(zone.toLowerCase()) ?? ''
    expect(findCanonicalTimeZone(stored)).toBe(stored)
    if (stored === zone) continue
    const [ofStored, ofZone] = [stored, zone].map(makeUtcOffsetLookup)
    for (const atMs of [Date.UTC(2027, 0, 4), Date.UTC(2027, 6, 5)]) {
      expect([zone, ofStored?.(atMs)]).toEqual([zone, ofZone?.(atMs)])
    }
  }
})

test('an unknown zone has no stored name', () => {
  expect(findCanonicalTimeZone('Mars/Olympus')).toBeNull()
})
