import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { buildManageLinks } from './manage-links.ts'
import { buildSigner } from './signer.ts'

const links = buildManageLinks(buildSigner('a secret for tests that is long enough'))
const LINK = { appointmentId: '6f1e1c39-7f2b-4a1d-9c55-0a3f6f1b2c3d', rotation: 0 }

test('a link says which appointment it is for, whatever its id and however often it was replaced', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 65_535 }), (appointmentId, rotation) => {
      const token = links.tokenOf({ appointmentId, rotation })
      expect(token).toMatch(/^[\w-]{44}$/)
      expect(links.read(token)).toEqual({ appointmentId, rotation })
    }),
  )
})

test('an email that is written later has the same link, until it is replaced', () => {
  expect(links.tokenOf(LINK)).toBe(links.tokenOf(LINK))
  expect(links.tokenOf({ ...LINK, rotation: 1 })).not.toBe(links.tokenOf(LINK))
})

test('a link that differs in one character is not ours', () => {
  const token = links.tokenOf(LINK)
  for (let i = 0; i < token.length; i += 1) {
    const other = token[i] === 'A' ? 'B' : 'A'
    expect(links.read(token.slice(0, i) + other + token.slice(i + 1))).toBeNull()
  }
})

test.each(['', 'x', LINK.appointmentId, 'A'.repeat(44), '%'.repeat(44)])('%j is no link', (text) => {
  expect(links.read(text)).toBeNull()
})

test('a link that was cut off, or has more behind it, is not ours', () => {
  const token = links.tokenOf(LINK)
  expect(links.read(token.slice(0, -1))).toBeNull()
  expect(links.read(`${token}A`)).toBeNull()
})

test('the proof of one appointment opens no other, and another installation has other links', () => {
  const token = links.tokenOf(LINK)
  const other = links.tokenOf({ ...LINK, appointmentId: '7f1e1c39-7f2b-4a1d-9c55-0a3f6f1b2c3d' })
  expect(links.read(other.slice(0, 24) + token.slice(24))).toBeNull()
  expect(buildManageLinks(buildSigner('another secret that is long enough')).read(token)).toBeNull()
})
