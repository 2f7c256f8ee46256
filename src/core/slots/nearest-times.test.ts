import { expect, test } from 'vitest'
import { listNearestStarts } from './nearest-times.ts'

test('the nearest starts are in chronological order', () => {
  expect(listNearestStarts([10, 20, 30, 40, 50], 38, 3)).toEqual([30, 40, 50])
  expect(listNearestStarts([50, 10, 40], 0, 2)).toEqual([10, 40])
  expect(listNearestStarts([], 0, 3)).toEqual([])
})
