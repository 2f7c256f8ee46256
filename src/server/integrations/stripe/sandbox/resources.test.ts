import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { SandboxPayment } from './payment.ts'
import { toCharge, toEvent, toPaymentIntent, toRefund, toSession } from './resources.ts'

const REFUND = {
  number: 1,
  amountCents: 4_000,
  createdS: 1_800_000_100,
  status: 'succeeded',
  metadata: {},
} as const
const PAID: SandboxPayment = {
  key: 'abc',
  accountId: 'acct_1',
  createdS: 1_800_000_000,
  expiresAtS: 1_800_002_100,
  amountCents: 4_000,
  currency: 'eur',
  description: 'Consultation',
  customerEmail: 'grace@example.com',
  clientReferenceId: 'appointment',
  metadata: { transaction_id: 'transaction' },
  successUrl: 'https://book.example/payment-success',
  cancelUrl: 'https://book.example/payment-cancelled',
  status: 'paid',
  card: '4242424242424242',
  refunds: [REFUND],
  hasRefusedRefund: false,
}
const OPEN: SandboxPayment = { ...PAID, status: 'open', card: null, refunds: [] }
const ORIGIN = 'http://127.0.0.1:1'

/** Stripe's own example of each resource: tests/fixtures/stripe, under Stripe's licence. */
let examples: Record<string, Record<string, unknown>>
beforeAll(async () => {
  const path = join(import.meta.dirname, '../../../../../tests/fixtures/stripe/resources.json')
  examples = JSON.parse(await readFile(path, 'utf8'))
})

test.each([
  ['checkout.session', 'open', toSession(OPEN, { origin: ORIGIN, isExpanded: false })],
  ['checkout.session', 'paid', toSession(PAID, { origin: ORIGIN, isExpanded: false })],
  ['payment_intent', 'paid', toPaymentIntent(PAID)],
  ['charge', 'refunded', toCharge(PAID)],
  ['refund', 'made', toRefund(PAID, REFUND)],
  ['event', 'sent', toEvent({ type: 'charge.refunded', accountId: 'acct_1', object: toCharge(PAID) }, 1)],
])('a %s (%s) has every field of Stripe’s example, of the same type', (name, _state, resource) => {
  const sent: Record<string, unknown> = JSON.parse(JSON.stringify(resource))
  const example = examples[name] ?? {}
  expect(Object.keys(sent)).toEqual(expect.arrayContaining(Object.keys(example)))
  // What Stripe has as null in its example, or we have, may be anything: its types are the compiler's to check.
  const both = Object.keys(example).filter((key) => example[key] !== null && sent[key] !== null)
  expect(both.length).toBeGreaterThan(5)
  expect(typesOf(sent, both)).toEqual(typesOf(example, both))
})

function typesOf(resource: Record<string, unknown>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    keys.map((key) => [key, Array.isArray(resource[key]) ? 'array' : typeof resource[key]]),
  )
}
