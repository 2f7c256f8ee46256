import { expect, test } from 'vitest'
import { buildSigner } from './signer.ts'

const signer = buildSigner('a secret for tests that is long enough')

test('a text is known again by its signature', () => {
  expect(signer.isGenuine('text', signer.sign('text', 'links'), 'links')).toBe(true)
})

test.each([
  ['another text', 'another', 'links', (signature: string) => signature],
  ['another purpose', 'text', 'devices', (signature: string) => signature],
  ['a changed signature', 'text', 'links', (signature: string) => `A${signature.slice(1)}B`],
  ['a short signature', 'text', 'links', (signature: string) => signature.slice(0, 20)],
  ['no signature', 'text', 'links', () => ''],
])('%s is not genuine', (_what, text, purpose, change) => {
  expect(signer.isGenuine(text, change(signer.sign('text', 'links')), purpose)).toBe(false)
})

test('a signature of another key is not genuine', () => {
  const other = buildSigner('another secret that is long enough too')
  expect(signer.isGenuine('text', other.sign('text', 'links'), 'links')).toBe(false)
})
