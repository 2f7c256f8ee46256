import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { findStringParam, parseQueryString, stringifyQueryString } from './search-text.ts'

describe('the query string', () => {
  test.each([
    ['?token=1e5', { token: '1e5' }],
    ['?token=00012345678901234567890', { token: '00012345678901234567890' }],
    ['?token=true&x=%7B%7D', { token: 'true', x: '{}' }],
    ['?a=1&a=2', { a: '1' }],
    ['', {}],
  ])('%s is read as text', (search, values) => {
    expect(parseQueryString(search)).toEqual(values)
  })

  test('what is undefined is left out', () => {
    expect(stringifyQueryString({ a: 'x y', b: undefined })).toBe('?a=x+y')
    expect(stringifyQueryString({ b: undefined })).toBe('')
  })

  test('whatever is written is read back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), (values) => {
        expect(parseQueryString(stringifyQueryString(values))).toEqual({ ...values })
      }),
    )
  })
})

test('a parameter that is no text counts as absent', () => {
  expect(findStringParam({ a: 'x', b: 1 }, 'a')).toBe('x')
  expect(findStringParam({ a: 'x', b: 1 }, 'b')).toBeUndefined()
  expect(findStringParam({}, 'c')).toBeUndefined()
})
