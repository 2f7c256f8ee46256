import { expect, test } from 'vitest'
import { toDecimalAmount } from './decimal-amount.ts'

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [4000, '40.00'],
  [123_450, '1234.50'],
])('%d cents are written %s', (cents, text) => {
  expect(toDecimalAmount(cents)).toBe(text)
})
