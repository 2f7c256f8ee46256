import { expect, test } from 'vitest'
import { toDecimalAmount } from '#core/shared/decimal-amount.ts'
import { parseAmount } from './parse-amount.ts'

test.each([
  ['69,50', 69.5],
  ['69.50', 69.5],
  ['69,5', 69.5],
  ['69.5', 69.5],
  ['69', 69],
  ['0', 0],
  ['0,01', 0.01],
  ['1234,50', 1234.5],
  ['100000.00', 100_000],
  // Unfinished amounts while the user types, and amounts without the leading zero.
  ['69,', 69],
  ['69.', 69],
  [',5', 0.5],
  ['.50', 0.5],
  [' 69,50 ', 69.5],
])('%j is the amount %d', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount)
})

test.each([
  // Amounts with thousands separators of any language.
  '1.234,50',
  '1,234.50',
  '1 234,50',
  '1’234.50',
  '1,234,500',
  // Ambiguous amounts: about twelve hundred to one reader, and little more than one to another.
  '1.234',
  '1,234',
  '0.001',
  '69,,50',
  '69.5.0',
  '-5',
  '+5',
  '1e3',
  '€69.50',
  '69,-',
  'free',
  ',',
  '.',
  '',
  ' ',
])('%j is no amount', (typed) => {
  expect(parseAmount(typed)).toBeNull()
})

test.each([0, 1, 6_950, 123_450, 10_000_000])(
  'what a field shows of %d cents is read as the same amount',
  (cents) => {
    expect(parseAmount(toDecimalAmount(cents))).toBe(cents / 100)
  },
)
