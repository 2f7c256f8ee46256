import { expect, test } from 'vitest'
import { requiresTls } from './adapter.ts'

test.each([
  ['smtp://user:secret@mail.example:587', true],
  ['smtp://mail.example:25', false],
  ['smtps://user:secret@mail.example', false],
  ['smtp://user:secret@127.0.0.1:1025', false],
  ['smtp://user:secret@localhost:1025', false],
  ['smtp://user:secret@[::1]:1025', false],
  ['smtp://user:secret@mail.internal?ignoreTLS=true', false],
  ['smtp://user:secret@mail.internal?requireTLS=false', false],
  ['smtp://mail.example?requireTLS=true', true],
])('%s insists on encryption by STARTTLS: %s', (url, required) => {
  expect(requiresTls(url)).toBe(required)
})
