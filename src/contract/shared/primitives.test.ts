import { expect, test } from 'vitest'
import { singleLineSchema } from './primitives.ts'

test.each([
  ['Ada \u202eelpmaxE\u202c', 'Ada elpmaxE'],
  ['\u2067Ada\u2069 \u2066Example', 'Ada Example'],
  ['דנה לוי', 'דנה לוי'],
  ['\u202e\u2069', ''],
])('a line that was typed as %j is kept as %j: it cannot turn the text around it', (typed, kept) => {
  expect(singleLineSchema(20).parse(typed)).toBe(kept)
})
