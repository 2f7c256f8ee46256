import { expect, test } from 'vitest'
import { formatEuro, formatMoney, toPriceText } from './format-money.ts'

test.each([
  [0, '€0.00'],
  [40, '€40.00'],
  [9.99, '€9.99'],
  [1240.5, '€1,240.50'],
])('%d is written %s', (price, text) => {
  expect(formatEuro(price)).toBe(text)
})

test.each([
  ['eur', '€40.00'],
  ['usd', '$40.00'],
  ['GBP', '£40.00'],
  ['chf', '€40.00'],
])('40 in %s is written %s', (currency, text) => {
  expect(formatMoney(40, currency)).toBe(text)
})

test.each([
  ['a price', 40, null, '€40.00'],
  ['a price of nothing', 0, null, '€0.00'],
  ['a fee note', null, '€90, paid at the appointment', '€90, paid at the appointment'],
  ['neither', null, null, null],
])('customers read %s', (_what, price, feeNote, text) => {
  expect(toPriceText(price, feeNote)).toBe(text)
})
