import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { parseSearchText, stringifySearchText, textParam } from './search-text.ts'

describe('the query string', () => {
  test.each([
    ['?token=1e5', { token: '1e5' }],
    ['?token=00012345678901234567890', { token: '00012345678901234567890' }],
    ['?token=true&x=%7B%7D', { token: 'true', x: '{}' }],
    ['?a=1&a=2', { a: '1' }],
    ['', {}],
  ])('%s is read as text', (search, values) => {
    expect(parseSearchText(search)).toEqual(values)
  })

  test('what is undefined is left out', () => {
    expect(stringifySearchText({ a: 'x y', b: undefined })).toBe('?a=x+y')
    expect(stringifySearchText({ b: undefined })).toBe('')
  })

  test('whatever is written is read back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), (values) => {
        expect(parseSearchText(stringifySearchText(values))).toEqual({ ...values })
      }),
    )
  })
})

test('a parameter that is no text counts as absent', () => {
  expect(textParam({ a: 'x', b: 1 }, 'a')).toBe('x')
  expect(textParam({ a: 'x', b: 1 }, 'b')).toBeUndefined()
  expect(textParam({}, 'c')).toBeUndefined()
})
