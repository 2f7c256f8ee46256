import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { toGreeting, toIsolatedName, toLines, toSingleLine } from './entered-text.ts'

describe('toLine', () => {
  test('turns every kind of line break into a space', () => {
    expect(toSingleLine('a\r\nb\nc\rd\u2028e\u2029f\u0085g\vh\fi')).toBe('a b c d e f g h i')
  })

  test('keeps letters of every script and drops what would turn their direction', () => {
    expect(toSingleLine(' דנה \u202eלוי\u202c ')).toBe('דנה לוי')
  })

  test('cuts a long name between characters as people see them', () => {
    expect(toSingleLine('👩‍👩‍👧'.repeat(4), 20)).toBe(`${'👩‍👩‍👧'.repeat(2)}…`)
    expect(toSingleLine('abcdef', 6)).toBe('abcdef')
    expect(toSingleLine('abcdefg', 6)).toBe('abcde…')
  })

  test('is one short line of valid text, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (typed) => {
        const line = toSingleLine(typed, 100)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(line.isWellFormed()).toBe(true)
        expect(line.length).toBeLessThanOrEqual(100)
      }),
    )
  })
})

describe('toName', () => {
  test.each([
    ['דנה לוי', '\u2068דנה לוי\u2069'],
    ['محمد 2', '\u2068محمد 2\u2069'],
    ['Ada \u202eexample', 'Ada example'],
    // The mark in the name would change the direction of our digits after the name.
    ['Ada\u200f', '\u2068Ada\u200f\u2069'],
    // Text that a person typed cannot end the isolate early.
    ['דנה\u2069', '\u2068דנה\u2069'],
    ['Ada Example', 'Ada Example'],
    ['', ''],
  ])('makes %j, among our own words, %j', (typed, name) => {
    expect(toIsolatedName(typed)).toBe(name)
  })

  test('isolates what is left of a long name', () => {
    expect(toIsolatedName('דנה'.repeat(10), 6)).toBe('\u2068דנהדנ…\u2069')
  })
})

describe('toLines', () => {
  test('keeps the lines of a note and an empty line between them', () => {
    expect(toLines('\n one\r\n\r\ntwo\u2028three\n\n')).toEqual(['one', '', 'two', 'three'])
  })

  test('leaves nothing in a line that some reader takes for a line break', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (typed) => {
        for (const line of toLines(typed)) expect(line).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029\0]/)
      }),
    )
  })
})

describe('toGreeting', () => {
  test.each(['Dr. Meredith Grey', 'J. R. Smith', 'דנה לוי', "O'Brien", '王小明'])(
    'greets %s by name',
    (name) => {
      expect(toGreeting(name)).toBe(`Hello ${name},`)
    },
  )

  test.each([
    'Win at casino.example',
    'https://casino.example',
    'www.casino',
    'me@casino.example',
    '',
    ' \n ',
  ])('does not greet with %j', (name) => {
    expect(toGreeting(name)).toBe('Hello,')
  })
})
