import { expect, test } from 'vitest'
import { toMessageId, toMessageIdHost } from './mail-origin.ts'

test.each([
  ['book.example', 'book.example'],
  ['Book.Example:8443', 'book.example'],
  ['localhost:3000', 'localhost'],
  ['[::1]:3000', '1'],
  ['', 'localhost'],
])('the host %j stands in identifiers as %s', (host, idHost) => {
  expect(toMessageIdHost(host)).toBe(idHost)
})

test('a Message-ID is made of its parts, so that a repeat has the same', () => {
  const origin = { from: { name: 'Meridian', address: 'a@book.example' }, host: 'localhost:3000' }
  expect(toMessageId(origin, ['id', 'booking-confirmation', 0])).toBe('<id.booking-confirmation.0@localhost>')
})
