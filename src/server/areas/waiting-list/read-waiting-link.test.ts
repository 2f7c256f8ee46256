import { expect, test } from 'vitest'
import { buildSigner } from '#server/platform/secrets/signer.ts'
import * as fc from '#tests/support/fast-check.ts'
import { readWaitingLink, type WaitingLink, writeWaitingLink } from './read-waiting-link.ts'

const SIGNER = buildSigner('a secret for tests that is long enough')
const LINK = { about: 'offer', id: '6f1e1c39-7f2b-4a1d-9c55-0a3f6f1b2c3d', rotation: 12 } as const

test('a link contains the id of the request and its rotation, in characters that a URL allows', () => {
  const links = fc.record<WaitingLink>({
    about: fc.constantFrom('entry', 'offer'),
    id: fc.uuid(),
    rotation: fc.integer({ min: 0, max: 65_535 }),
  })
  fc.assert(
    fc.property(links, (link) => {
      const token = writeWaitingLink(SIGNER, link)
      expect(token).toMatch(/^[\w.-]{1,120}$/)
      expect(readWaitingLink(SIGNER, token)).toEqual(link)
    }),
  )
})

test('later emails have the same link until it is replaced', () => {
  expect(writeWaitingLink(SIGNER, LINK)).toBe(writeWaitingLink(SIGNER, { ...LINK }))
  expect(writeWaitingLink(SIGNER, { ...LINK, rotation: 13 })).not.toBe(writeWaitingLink(SIGNER, LINK))
})

test('the link of another rotation, offer or request cannot be derived from a link', () => {
  const [id, rotation, signature] = writeWaitingLink(SIGNER, LINK).split('.')
  const other = '7f1e1c39-7f2b-4a1d-9c55-0a3f6f1b2c3d'
  const made = [
    [id, '13', signature],
    [id, '012', signature],
    [id, signature],
    [other, rotation, signature],
    [id, rotation, signature?.slice(0, -2)],
    [id, rotation, signature, ''],
  ]
  for (const parts of made) expect(readWaitingLink(SIGNER, parts.join('.'))).toBeNull()
  const elsewhere = buildSigner('another secret that is long enough')
  expect(readWaitingLink(elsewhere, [id, rotation, signature].join('.'))).toBeNull()
})

test.each(['', '.', '..', 'a.b', LINK.id, `${LINK.id}.0.`, 'A'.repeat(120)])(
  '%j is not a valid link',
  (text) => {
    expect(readWaitingLink(SIGNER, text)).toBeNull()
  },
)
