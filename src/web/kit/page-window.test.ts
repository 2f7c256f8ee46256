import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { countPages, listPageButtons } from './page-window.ts'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 12, [1, 2, 3, 4, 5]],
  [3, 12, [1, 2, 3, 4, 5]],
  [4, 12, [2, 3, 4, 5, 6]],
  [10, 12, [8, 9, 10, 11, 12]],
  [12, 12, [8, 9, 10, 11, 12]],
])('on page %i of %i it offers %j', (page, totalPages, numbers) => {
  expect(listPageButtons(page, totalPages)).toEqual(numbers)
})

test('it always offers the page one is on, at most five, in order, and none that does not exist', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 5_000 }), (a, b) => {
      const [page, totalPages] = [Math.min(a, b), Math.max(a, b)]
      const numbers = listPageButtons(page, totalPages)
      const first = numbers[0] ?? 0
      expect(numbers).toContain(page)
      expect(numbers).toEqual(Array.from({ length: Math.min(5, totalPages) }, (_, index) => first + index))
      expect(first).toBeGreaterThanOrEqual(1)
      expect(numbers.at(-1)).toBeLessThanOrEqual(totalPages)
    }),
  )
})

test.each([
  [0, 1],
  [10, 1],
  [11, 2],
])('a list of %d has %d pages of ten', (total, pages) => {
  expect(countPages(total, 10)).toBe(pages)
})
