import { expect, test } from 'vitest'
import { buildRecipientKeys } from './recipient-keys.ts'
import { buildSigner } from './signer.ts'

const SIGNER = buildSigner('a secret for tests that is long enough')
const KEYS = buildRecipientKeys(SIGNER, SIGNER)

test('a link leads to the key of its address, however the address is written', () => {
  const link = KEYS.linkOf('grace@example.com')
  expect(link).toMatch(/^[\w-]{44}$/)
  expect(KEYS.findKey(link)).toBe(KEYS.keyOf('grace@example.com'))
  expect(KEYS.linkOf('Grace+spam@Example.com')).toBe(link)
  expect(KEYS.linkOf('alan@example.com')).not.toBe(link)
})

test('neither the key nor another installation’s link is a link', () => {
  const link = KEYS.linkOf('grace@example.com')
  const other = buildSigner('another secret that is long enough, too')
  const others = buildRecipientKeys(other, other).linkOf('grace@example.com')
  const forged = KEYS.keyOf('grace@example.com').padEnd(44, 'A')
  const mixed = KEYS.keyOf('alan@example.com') + link.slice(22)
  for (const candidate of [others, forged, mixed, '', link.slice(1), `${link}A`, 'é'.repeat(44)]) {
    expect(KEYS.findKey(candidate)).toBeNull()
  }
})

test('a key does not contain its address', () => {
  expect(KEYS.keyOf('grace@example.com')).not.toContain('grace')
})
