import { expect, test } from 'vitest'
import { formatMoneyWithoutCents } from './insight-words.ts'

test('where there is little room an amount has no cents', () => {
  expect(formatMoneyWithoutCents(1_240.5, 'EUR')).toBe('€1,241')
  expect(formatMoneyWithoutCents(40, 'USD')).toBe('$40')
})
