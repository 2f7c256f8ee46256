import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { buildRecentCache } from './recent-cache.ts'

const buildTexts = (maxBytes: number) =>
  buildRecentCache<string>({ maxBytes, toLength: (text, key) => key.length + text.length })

describe('a cache that is bounded by bytes (rule K12)', () => {
  test('drops what was not used for longest, as much as the new value needs', () => {
    const texts = buildTexts(20)
    for (const key of ['a', 'b', 'c']) texts.keep(key, 'xx')
    expect(texts.find('a')).toBe('xx')
    texts.keep('d', 'xxxxxx')
    expect(['a', 'b', 'c', 'd'].map(texts.find)).toEqual(['xx', null, null, 'xxxxxx'])
  })

  test('does not keep what is larger than all of it, and keeps the rest', () => {
    const texts = buildTexts(20)
    texts.keep('a', 'xx')
    texts.keep('b', 'x'.repeat(10))
    expect([texts.find('a'), texts.find('b')]).toEqual(['xx', null])
  })

  test('never holds more, whatever is kept and asked for', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(12), fc.boolean())
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const texts = buildTexts(40)
        for (const [key, length, asks] of steps) {
          if (asks) texts.find(key)
          else texts.keep(key, 'x'.repeat(length))
          const held = ['a', 'b', 'c', 'd', 'e'].map(texts.find).filter((text) => text !== null)
          expect(held.reduce((bytes, text) => bytes + 2 * (1 + text.length), 0)).toBeLessThanOrEqual(40)
          if (!asks) expect(texts.find(key)?.length).toBe(length)
        }
      }),
    )
  })
})
