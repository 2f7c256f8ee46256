import { expect, test } from 'vitest'
import { buildSigner, buildToPseudonym } from './signer.ts'

const toPseudonym = buildToPseudonym(buildSigner('a key of at least thirty-two characters'))

test('somebody is recognised by the same name, and nobody else has it', () => {
  expect(toPseudonym('email', 'grace@example.com')).toBe(toPseudonym('email', 'grace@example.com'))
  expect(toPseudonym('email', 'ada@example.com')).not.toBe(toPseudonym('email', 'grace@example.com'))
  expect(toPseudonym('client', 'grace@example.com')).not.toBe(toPseudonym('email', 'grace@example.com'))
})

test('without the key nobody finds out whose name it is by trying', () => {
  const other = buildToPseudonym(buildSigner('another key of thirty-two characters!'))
  expect(other('client', '203.0.113.7')).not.toBe(toPseudonym('client', '203.0.113.7'))
})
