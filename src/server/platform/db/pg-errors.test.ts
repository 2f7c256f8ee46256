import { expect, test } from 'vitest'
import { isDatabaseUnavailable } from './pg-errors.ts'

test.each([
  ['53100', 'there is no room on the disk'],
  ['53200', 'there is no memory'],
  ['53300', 'there are too many connections'],
  ['57014', 'a statement took too long'],
  ['57P01', 'the server is going'],
  ['08006', 'the connection broke'],
])('%s means that the database is in trouble: %s', (code) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('told by the server'), { code }))).toBe(true)
})

test.each([
  ['23505', 'a row with this key is there already'],
  ['42601', 'the statement is wrong'],
  ['22P02', 'a value is of the wrong kind'],
])('%s means that the request or the program is wrong: %s', (code) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('told by the server'), { code }))).toBe(false)
})
