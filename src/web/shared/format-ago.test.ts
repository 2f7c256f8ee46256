import { expect, test } from 'vitest'
import { formatRelativeTime } from './format-ago.ts'

const NOW = '2026-12-01T10:00:00Z'

test.each([
  ['2026-12-01T09:59:40Z', 'just now'],
  ['2026-12-01T09:59:00Z', '1 minute ago'],
  ['2026-12-01T09:01:00Z', '59 minutes ago'],
  ['2026-12-01T08:01:00Z', '1 hour ago'],
  ['2026-11-30T10:00:00Z', '1 day ago'],
  ['2026-11-28T09:00:00Z', '3 days ago'],
  ['2026-12-01T10:05:00Z', 'in 5 minutes'],
])('%s is %s', (at, words) => {
  expect(formatRelativeTime(at, NOW)).toBe(words)
})
