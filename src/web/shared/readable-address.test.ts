import { expect, test } from 'vitest'
import { toReadableEmailAddress } from './readable-address.ts'

test.each([
  ['x@xn--mller-kva.de', 'x@müller.de'],
  ['x@xn--r8jz45g.xn--zckzah', 'x@例え.テスト'],
  ['x@example.com', 'x@example.com'],
  // This domain mixes Latin letters with a Cyrillic letter that looks like a Latin a.
  ['x@xn--pple-43d.com', 'x@xn--pple-43d.com'],
  ['x@xn--99999999999999.de', 'x@xn--99999999999999.de'],
  ['xn--a@example.com', 'xn--a@example.com'],
  ['', ''],
])('%s is shown as %s', (stored, shown) => expect(toReadableEmailAddress(stored)).toBe(shown))
