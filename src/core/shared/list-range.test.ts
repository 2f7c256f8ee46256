import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import {
  countMatchingFilter,
  isEarliestFirst,
  type ListFilter,
  toPageQuery,
  toPageRange,
} from './list-range.ts'

const filters: ListFilter[] = ['upcoming', 'past', 'all']

test('the pages of every filter together are the whole list', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 12 }), (past, upcoming, size) => {
      const counts = { all: past + upcoming, past }
      const everything = Array.from({ length: counts.all }, (_, i) => i)
      for (const filter of filters) {
        const plain = everything.filter((i) => filter === 'all' || i < past === (filter === 'past'))
        if (!isEarliestFirst(filter)) plain.reverse()
        expect(countMatchingFilter(filter, counts)).toBe(plain.length)
        for (let number = 1; number <= Math.ceil(plain.length / size) + 1; number += 1) {
          const { start, length } = toPageRange(filter, counts, { number, size })
          const page = everything.slice(start, start + length)
          if (!isEarliestFirst(filter)) page.reverse()
          expect(page).toEqual(plain.slice((number - 1) * size, number * size))
        }
      }
    }),
  )
})

test('a page read from the nearer end has the same entries as a page read from the start', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 12 }), (total, size) => {
      const list = Array.from({ length: total }, (_, i) => i)
      for (let number = 1; number <= Math.ceil(total / size) + 1; number += 1) {
        const { offset, limit, isFromEnd } = toPageQuery(total, { number, size })
        const read = (isFromEnd ? list.toReversed() : list).slice(offset, offset + limit)
        expect(isFromEnd ? read.reverse() : read).toEqual(list.slice((number - 1) * size, number * size))
        expect(offset).toBeLessThanOrEqual(total / 2)
      }
    }),
  )
})
