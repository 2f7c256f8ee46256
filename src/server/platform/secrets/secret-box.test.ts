import { expect, test } from 'vitest'
import { buildSecretBox } from './secret-box.ts'

const box = buildSecretBox('a key of at least thirty-two characters')

test('what was sealed opens again, and is never the same twice', () => {
  const sealed = box.seal('EGnHDxD_qRPdaLdZz8iCr8N7_MzF', 'paypal')
  expect(box.open(sealed, 'paypal')).toBe('EGnHDxD_qRPdaLdZz8iCr8N7_MzF')
  expect(box.seal('EGnHDxD_qRPdaLdZz8iCr8N7_MzF', 'paypal').equals(sealed)).toBe(false)
  expect(sealed.toString('latin1')).not.toContain('EGnHDxD')
})

test('it opens with no other key, for no other purpose and not when a byte was changed', () => {
  const sealed = box.seal('secret', 'paypal')
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => box.open(changed, 'paypal')).toThrow()
  expect(() => box.open(sealed, 'stripe')).toThrow()
  expect(() => box.open(sealed.subarray(0, 20), 'paypal')).toThrow()
  expect(() => buildSecretBox('another key of thirty-two characters!').open(sealed, 'paypal')).toThrow()
})
