import { expect, test } from 'vitest'
import { isFreshlySigned } from './fresh-signature.ts'

const NOW_S = 1_800_000_000
const SIGNATURE = 'a'.repeat(64)

test.each([
  ['signed now', `t=${NOW_S},v1=${SIGNATURE}`, true],
  [
    'signed by two secrets, with a signature of a test beside them',
    `t=${NOW_S},v1=${SIGNATURE},v1=${SIGNATURE},v0=1`,
    true,
  ],
  ['signed 300 s ago', `t=${NOW_S - 300},v1=${SIGNATURE}`, true],
  ['signed 301 s ago', `t=${NOW_S - 301},v1=${SIGNATURE}`, false],
  ['signed in the future', `t=${NOW_S + 301},v1=${SIGNATURE}`, false],
  ['without a time', `v1=${SIGNATURE}`, false],
  ['with a time that is none', `t=now,v1=${SIGNATURE}`, false],
  ['without a signature', `t=${NOW_S}`, false],
  ['with a signature that is too short', `t=${NOW_S},v1=abc`, false],
  ['without a header', undefined, false],
  ['with the header twice', [`t=${NOW_S},v1=${SIGNATURE}`, `t=${NOW_S},v1=${SIGNATURE}`], false],
])(
  'a message in the name of Stripe %s is worth a look at its signature: %s -> %s',
  (_what, header, isFresh) => {
    const headers = { 'stripe-signature': header }
    expect(isFreshlySigned(() => NOW_S * 1_000, { headers })).toBe(isFresh)
  },
)
