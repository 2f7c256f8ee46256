import { expect, test } from 'vitest'
import { toMailboxName } from './mailbox-name.ts'

test.each([
  [' Grace@Example.com ', 'grace@example.com'],
  ['grace+one@example.com', 'grace@example.com'],
  ['grace+one+two@example.com', 'grace@example.com'],
  ['g.r.a.c.e@gmail.com', 'grace@gmail.com'],
  ['gra.ce+x@googlemail.com', 'grace@gmail.com'],
  ['gra.ce@example.com', 'gra.ce@example.com'],
  ['+grace@example.com', '+grace@example.com'],
  ['"a@b"@example.com', '"a@b"@example.com'],
])('%s is counted as %s', (address, name) => {
  expect(toMailboxName(address)).toBe(name)
})
