import { beforeAll, test } from 'vitest'
import { expectStripeShape, readStripeExamples } from '#tests/support/stripe-examples.ts'
import type { SandboxPayment } from './payment.ts'
import {
  toChargeResource,
  toCheckoutSessionResource,
  toEventResource,
  toPaymentIntentResource,
  toRefundResource,
} from './resources.ts'

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

let examples: Record<string, Record<string, unknown>>
beforeAll(async () => {
  examples = await readStripeExamples()
})

test.each([
  ['checkout.session', 'open', toCheckoutSessionResource(OPEN, { origin: ORIGIN, isExpanded: false })],
  ['checkout.session', 'paid', toCheckoutSessionResource(PAID, { origin: ORIGIN, isExpanded: false })],
  ['payment_intent', 'paid', toPaymentIntentResource(PAID)],
  ['charge', 'refunded', toChargeResource(PAID)],
  ['refund', 'made', toRefundResource(PAID, REFUND)],
  // Stripe's example is an event without an account.
  [
    'event',
    'sent',
    {
      ...toEventResource({ type: 'charge.refunded', accountId: 'acct_1', object: toChargeResource(PAID) }, 1),
      account: undefined,
    },
  ],
])('a %s (%s) has only fields of Stripe’s example, with their types', (name, _state, resource) => {
  expectStripeShape(resource, examples[name] ?? {})
})
