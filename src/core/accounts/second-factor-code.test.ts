import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { makeBackupCodes, parseSecondFactorCode } from './second-factor-code.ts'

test.each([
  ['123456', 'app', '123456'],
  [' 123 456 ', 'app', '123456'],
  ['１２３　４５６', 'app', '123456'],
  ['٩٨٧٦٥٤', 'app', '987654'],
  ['123-456', 'app', '123456'],
  ['7gkm2-x9wqa', 'backup', '7gkm2-x9wqa'],
  ['7GKM2 X9WQA', 'backup', '7gkm2-x9wqa'],
  ['7gkm2x9wqa', 'backup', '7gkm2-x9wqa'],
  ['12345', 'backup', '12345-'],
  ['1234567', 'backup', '12345-67'],
])('“%s” is read as a code of kind %s', (typed, kind, code) => {
  expect(parseSecondFactorCode(typed)).toEqual({ kind, code })
})

test('every backup code is parsed as a backup code', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const codes = makeBackupCodes((limit) => (numbers.next().value ?? 0) % limit)
      expect(codes).toHaveLength(10)
      for (const code of codes) {
        expect(code).toMatch(/^[2-9a-hjkmnp-tv-z]{5}-[2-9a-hjkmnp-tv-z]{5}$/)
        expect(parseSecondFactorCode(code)).toEqual({ kind: 'backup', code })
      }
    }),
  )
})
