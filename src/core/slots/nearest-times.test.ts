import { expect, test } from 'vitest'
import { listNearest } from './nearest-times.ts'

test('the nearest starts are in chronological order', () => {
  expect(listNearest([10, 20, 30, 40, 50], 38, 3)).toEqual([30, 40, 50])
  expect(listNearest([50, 10, 40], 0, 2)).toEqual([10, 40])
  expect(listNearest([], 0, 3)).toEqual([])
})
