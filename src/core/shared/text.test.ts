import { describe, expect, test } from 'vitest'
import { hasVisibleCharacters, isStorableText, normaliseToNfc, truncateText } from './text.ts'

test.each([
  ['', true],
  ['Zoë 👩‍👩‍👧‍👦', true],
  ['\uffff\u0001', true],
  ['a\u0000b', false],
  ['\ud800', false],
  ['a\udfff', false],
  ['\udc00\ud800', false],
])('%j can be kept: %s', (text, expected) => {
  expect(isStorableText(text)).toBe(expected)
})

test.each([
  ['Zo\u0065\u0308', 'Zo\u00eb'],
  ['Zo\u00eb', 'Zo\u00eb'],
  ['\u1112\u1161\u11ab', '\ud55c'],
  ['ﬁ ½ Ａ', 'ﬁ ½ Ａ'],
])('%j is composed to %j', (text, composed) => {
  expect(normaliseToNfc(text)).toBe(composed)
})

test('normalising a text with very many combining marks takes linear time', () => {
  const marks = `a${'\u0315'.repeat(500_000)}${'\u0327'.repeat(500_000)}`
  expect(normaliseToNfc(marks)).toBe(marks)
})

describe('isVisible', () => {
  test.each(['Zoë', '.', '李', '‏עדה', '👩‍👩‍👧', '\u200bA', 'ـ', '\u00b7'])('%j is visible', (text) => {
    expect(hasVisibleCharacters(text)).toBe(true)
  })

  test.each([
    '',
    ' \t\n',
    '\u00a0\u3000',
    '\u200b',
    '\u200b\u200c\u200d\u2060\ufeff',
    '\u202e\u2066',
    '\u00ad',
    '\u034f',
    '\u3164\u115f\uffa0',
    '\u2800',
    '\ufe0f',
    '\u{e0041}',
    '\u0007',
  ])('%j is not visible', (text) => {
    expect(hasVisibleCharacters(text)).toBe(false)
  })
})

test('a text is cut between characters', () => {
  expect(truncateText('abc', 5)).toBe('abc')
  expect(truncateText('abc', 2)).toBe('ab')
  expect(truncateText('a👍c', 2)).toBe('a')
  expect(truncateText('a👍c', 3)).toBe('a👍')
})
