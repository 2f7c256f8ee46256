import { expect, test } from 'vitest'
import { isSameName } from './same-name.ts'

test.each([
  ['Alan Turing', ' ALAN  TURING '],
  ['Zoë', 'Zoe\u0308'],
  ['Ärztin', 'ÄRZTIN'],
  ["O'Dea", 'O’Dea'],
  ['Anne-Marie', 'Anne\u2011Marie'],
  ['Anne Marie', 'Anne-Marie'],
  ['Ａｄａ', 'Ada'],
  ['???', ' ??? '],
])('%j and %j are one name', (name, other) => {
  expect(isSameName(name, other)).toBe(true)
})

test.each([
  ['José', 'Jose'],
  ['Ada', 'Ida'],
  ['???', '!!!'],
])('%j and %j are two names', (name, other) => {
  expect(isSameName(name, other)).toBe(false)
})
