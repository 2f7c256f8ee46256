import { expect, test } from 'vitest'
import { browserHourCycle } from './browser-hour-cycle.ts'

test.each([
  ['en-US', 'h12'],
  ['en-GB', 'h23'],
  ['de-DE', 'h23'],
  ['ja-JP', 'h23'],
  ['hi-IN', 'h12'],
] as const)('a browser in %s has the clock %s', (locale, hourCycle) => {
  expect(browserHourCycle(locale)).toBe(hourCycle)
})
