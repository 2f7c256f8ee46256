import { expect, test } from 'vitest'
import { toProfessionalName } from './professional-name.ts'

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['Ada', '', 'Ada'],
  [null, 'Lovelace', 'Lovelace'],
  [' Ada ', ' ', 'Ada'],
  ['', '', null],
  [null, undefined, null],
])('%s and %s are written as %s', (firstName, lastName, name) => {
  expect(toProfessionalName(firstName, lastName)).toBe(name)
})
