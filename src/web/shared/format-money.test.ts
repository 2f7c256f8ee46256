import { expect, test } from 'vitest'
import { formatEuro, formatMoney, formatMoneyWithoutCents } from './format-money.ts'

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

test('where there is little room an amount has no cents', () => {
  expect(formatMoneyWithoutCents(1_240.5, 'EUR')).toBe('€1,241')
  expect(formatMoneyWithoutCents(40, 'USD')).toBe('$40')
})
