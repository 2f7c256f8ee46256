import { expect, test } from 'vitest'
import { toCsvRecord } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['with, comma', '"with, comma"'],
  ['said "so"', '"said ""so"""'],
  ['two\nlines', '"two\nlines"'],
  ['return\r', '"return\r"'],
  ['', ''],
])('%j is written as RFC 4180 says', (text, written) => {
  expect(toCsvRecord([text])).toBe(`${written}\r\n`)
})

test.each(['=1+1', '+44 20', '-1', '@SUM(A1)', '\tx', '\rx', '\nx'])(
  '%j is no formula for a spreadsheet',
  (text) => {
    expect(toCsvRecord([text]).replace('"', '').startsWith(`'${text[0]}`)).toBe(true)
  },
)

test('numbers, truth and nothing need no quotes', () => {
  expect(toCsvRecord([-4.5, true, null, 'a'])).toBe('-4.5,true,,a\r\n')
})
