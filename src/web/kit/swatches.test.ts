import { expect, test } from 'vitest'
import { findUnusedColor, SWATCHES } from './swatches.ts'

test('a new calendar gets the first colour that no other calendar has', () => {
  expect(findUnusedColor([])).toBe('#3498db')
  expect(findUnusedColor(['#3498DB', '#16a085', '#123456'])).toBe('#27ae60')
  expect(findUnusedColor(SWATCHES.map(([color]) => color))).toBeNull()
})
