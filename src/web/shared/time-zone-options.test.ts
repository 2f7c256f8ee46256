import { expect, test } from 'vitest'
import { COMMON_TIME_ZONES } from '#contract/shared/limits.ts'
import { toCurrentZoneName } from '#contract/shared/zone-names.ts'
import { timeZoneOptions } from './time-zone-options.ts'

test('the listed zones come first, in their order, by the names people know', () => {
  const first = timeZoneOptions('UTC').slice(0, COMMON_TIME_ZONES.length)
  expect(first.map(({ value }) => value)).toEqual(COMMON_TIME_ZONES)
  expect(first[0]?.label).toBe('New York (America/New_York)')
  expect(first.at(-1)?.label).toBe('UTC')
})

test('every zone of the runtime can be found, each once', () => {
  const values = timeZoneOptions('UTC').map(({ value }) => value)
  expect(new Set(values).size).toBe(values.length)
  expect(values).toEqual(expect.arrayContaining(Intl.supportedValuesOf('timeZone').map(toCurrentZoneName)))
})

test('the zone in use is in the list although the browser gives it another name', () => {
  const values = timeZoneOptions('US/Eastern').map(({ value }) => value)
  expect(values).toContain('US/Eastern')
})

test.each([
  ['Asia/Kathmandu', 'Kathmandu (Asia/Kathmandu)'],
  ['Europe/Kyiv', 'Kyiv (Europe/Kyiv)'],
  ['America/St_Johns', 'St Johns (America/St_Johns)'],
])('%s is shown as %s', (zone, label) => {
  expect(timeZoneOptions(zone).find(({ value }) => value === zone)?.label).toBe(label)
})
