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

test.each([
  '＝1+1',
  '＋44',
  '－1',
  '＠SUM(A1)',
  '﹦1+1',
  '\u22121',
  ' =1+1',
  '\u200B=1+1',
  '\uFEFF@SUM(A1)',
  '\u2060\u00AD\u180E+1',
  '\u0000\u0007=1+1',
  '\u00A0\u3000-1',
  '\u202E=1+1',
  '\u3164=1+1',
  '\u2028＝1+1',
  '\u0301=1+1',
])('%j is no formula, however its beginning is written or hidden', (text) => {
  expect(toCsvRecord([text]).replace('"', '').startsWith(`'${text}`)).toBe(true)
})

test.each(['a=1', 'Zoë', '１＋１', '(=1)', '“quoted”', 'José = Joe'])('%j stays as it is', (text) => {
  expect(toCsvRecord([text])).toBe(`${text}\r\n`)
})

test('numbers, booleans and null are written without quotes', () => {
  expect(toCsvRecord([-4.5, true, null, 'a'])).toBe('-4.5,true,,a\r\n')
})
