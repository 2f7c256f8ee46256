import { expect, test } from 'vitest'
import { formatEuro } from './format-money.ts'

test.each([
  [0, '€0.00'],
  [40, '€40.00'],
  [9.99, '€9.99'],
  [1240.5, '€1,240.50'],
])('%d is written %s', (price, text) => {
  expect(formatEuro(price)).toBe(text)
})
