import { expect, test } from 'vitest'
import { describeSandboxes } from './provider-names.ts'

const card = (isSandbox: boolean) => ({ name: 'Credit Card', isSandbox })
const paypal = (isSandbox: boolean) => ({ name: 'PayPal', isSandbox })

test.each([
  ['nothing where real money moves', [card(false), paypal(false)], null],
  ['nothing where nothing is paid', [], null],
  ['that all of it is a sandbox', [card(true), paypal(true)], 'Sandbox: no real money moves'],
  ['that the only way is a sandbox', [paypal(true)], 'Sandbox: no real money moves'],
  ['which of two ways is a sandbox', [card(false), paypal(true)], 'PayPal: sandbox, no real money moves'],
])('customers read %s', (_what, ways, words) => {
  expect(describeSandboxes(ways)).toBe(words)
})
