import { expect, test } from 'vitest'
import { generateUserCode, normaliseUserCode, parseUserCode } from './typed-code.ts'

test('a code has two groups of five unambiguous characters', () => {
  let next = 0
  const code = generateUserCode((limit) => next++ % limit)
  expect(code).toBe('23456-789ab')
  expect(generateUserCode((limit) => limit - 1)).toBe('zzzzz-zzzzz')
})

test.each(['7gkm2-x9wqa', '7GKM2X9WQA', ' 7gkm2 x9wqa ', '7gkm2–x9wqa', '７ｇｋｍ２－Ｘ９ｗｑａ'])(
  '%j is read as the code, however it was typed',
  (typed) => expect(parseUserCode(typed)).toBe('7gkm2-x9wqa'),
)

test.each([
  ['full-width, as a Japanese keyboard types them', '１２３ ４５６'],
  ['Arabic', '١٢٣٤٥٦'],
  ['Persian', '۱۲۳۴۵۶'],
  ['Devanagari', '१२३४५६'],
  ['bold', '𝟏𝟐𝟑𝟒𝟓𝟔'],
  ['in groups', '123ー456'],
  ['with invisible characters around them', '\u200b123456\u2060'],
])('digits are read when they are %s', (_how, typed) => {
  expect(normaliseUserCode(typed)).toBe('123456')
})
