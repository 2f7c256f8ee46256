import { expect, test } from 'vitest'
import { formatPrice } from './format-price.ts'

test.each([
  [999, 'eur', '€9.99'],
  [1900, 'chf', 'CHF 19.00'],
  [1900, 'jpy', '¥1,900'],
  [1900, 'kwd', 'KWD 1.900'],
  [0, 'usd', '$0.00'],
])('%i minor units of %s are %s', (amount_cents, currency, text) => {
  expect(formatPrice({ amount_cents, currency }).replace(/\s/g, ' ')).toBe(text)
})
