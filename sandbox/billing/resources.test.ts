import { beforeAll, expect, test } from 'vitest'
import { expectStripeShape, readStripeExamples } from '#tests/support/stripe-examples.ts'
import { getPrice } from './prices.ts'
import type {
  SandboxConfiguration,
  SandboxCustomer,
  SandboxInvoice,
  SandboxPlanCheckout,
  SandboxPortal,
  SandboxSubscription,
} from './records.ts'
import {
  toConfiguration,
  toCustomer,
  toInvoicePayment,
  toPaymentMethod,
  toPlanRefund,
  toPortalSession,
  toPrice,
} from './resources.ts'
import { toPlanSession } from './session-resources.ts'
import { toInvoice, toSchedule, toSubscription } from './subscription-resources.ts'

const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2034 }
const CUSTOMER: SandboxCustomer = {
  id: 'cus_1',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  metadata: { owner_id: 'owner' },
  createdS: 1_800_000_000,
  card: CARD,
  isDeleted: false,
}
const RUNNING: SandboxSubscription = {
  id: 'sub_1',
  customerId: 'cus_1',
  metadata: { owner_id: 'owner' },
  priceId: 'price_sandbox_business',
  status: 'active',
  createdS: 1_800_000_000,
  periodStartS: 1_800_000_000,
  periodEndS: 1_802_678_400,
  cancelsAtPeriodEnd: false,
  canceledAtS: null,
  endedAtS: null,
  reason: null,
  nextPriceId: null,
}
const ENDING: SandboxSubscription = {
  ...RUNNING,
  cancelsAtPeriodEnd: true,
  canceledAtS: 1_800_000_100,
  reason: 'cancellation_requested',
}
const FAILED: SandboxSubscription = {
  ...RUNNING,
  status: 'canceled',
  canceledAtS: 1_800_000_100,
  endedAtS: 1_800_000_100,
  reason: 'payment_failed',
}
const PAID: SandboxInvoice = {
  id: 'in_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  number: 'CUS_1-0001',
  createdS: 1_800_000_000,
  description: 'Meridian Business',
  amountCents: 1_999,
  currency: 'eur',
  status: 'paid',
  reason: 'subscription_create',
  periodStartS: 1_800_000_000,
  periodEndS: 1_802_678_400,
  attempts: 1,
  paidAtS: 1_800_000_000,
  refundedAtS: 1_800_000_100,
}
const OWED: SandboxInvoice = { ...PAID, status: 'open', paidAtS: null, refundedAtS: null }
const CHECKOUT: SandboxPlanCheckout = {
  id: 'cs_test_1',
  customerId: 'cus_1',
  clientReferenceId: 'owner',
  metadata: { owner_id: 'owner' },
  subscriptionMetadata: { owner_id: 'owner' },
  priceId: 'price_sandbox_business',
  createdS: 1_800_000_000,
  successUrl: 'https://book.example/dashboard',
  cancelUrl: 'https://book.example/pricing',
  status: 'open',
  subscriptionId: null,
}
const PORTAL: SandboxPortal = {
  id: 'bps_1',
  customerId: 'cus_1',
  configurationId: 'bpc_1',
  createdS: 1_800_000_000,
  returnUrl: 'https://book.example/profile',
  flow: {
    type: 'subscription_cancel',
    subscriptionId: 'sub_1',
    priceId: null,
    doneUrl: 'https://book.example/profile',
  },
}
const CONFIGURATION: SandboxConfiguration = {
  id: 'bpc_1',
  name: 'Meridian',
  metadata: {},
  createdS: 1_800_000_000,
  features: {},
}
const ORIGIN = 'http://127.0.0.1:1'

let examples: Record<string, Record<string, unknown>>
beforeAll(async () => {
  examples = await readStripeExamples()
})

test.each([
  ['price', 'for sale', toPrice(getPrice('price_sandbox_business')), []],
  ['customer', 'with a card', toCustomer(CUSTOMER), []],
  ['payment_method', 'of a customer', toPaymentMethod(CUSTOMER, CARD), []],
  ['subscription', 'running', toSubscription(RUNNING, CUSTOMER), []],
  ['subscription', 'ending', toSubscription(ENDING, CUSTOMER), []],
  ['subscription', 'failed', toSubscription(FAILED, CUSTOMER), []],
  ['subscription_schedule', 'to a smaller plan', toSchedule(RUNNING, 'price_sandbox_professional'), []],
  ['invoice', 'paid', toInvoice(PAID, CUSTOMER, ORIGIN), ['subscription']],
  ['invoice', 'owed', toInvoice(OWED, CUSTOMER, ORIGIN), ['subscription']],
  ['invoice_payment', 'made', toInvoicePayment(PAID), []],
  ['refund', 'of a plan', toPlanRefund(PAID), []],
  ['checkout.session', 'of a plan', toPlanSession(CHECKOUT, CUSTOMER, ORIGIN), []],
  ['billing_portal.session', 'for an end', toPortalSession(PORTAL, ORIGIN), []],
  ['billing_portal.configuration', 'of ours', toConfiguration(CONFIGURATION), []],
] as const)(
  'a %s (%s) has every field of Stripe’s example, of the same type',
  (name, _state, resource, gone) => {
    expectStripeShape(resource, examples[name] ?? {}, gone)
  },
)

test('the parts of an item, a phase and a line are as in Stripe’s examples', () => {
  const partOf = (resource: string, ...path: readonly string[]) =>
    path.reduce<unknown>((part, name) => Object(part)[name], examples[resource])
  const [item] = toSubscription(RUNNING, CUSTOMER).items.data
  const [phase] = toSchedule(RUNNING, 'price_sandbox_professional').phases
  const [line] = toInvoice(PAID, CUSTOMER, ORIGIN).lines.data
  expectStripeShape(Object(item), Object(partOf('subscription', 'items', 'data', '0')))
  expectStripeShape(Object(phase), Object(partOf('subscription_schedule', 'phases', '0')))
  expectStripeShape(Object(line), Object(partOf('invoice', 'lines', 'data', '0')))
})

test('a customer that was deleted is as in Stripe’s example', () => {
  const deleted = toCustomer({ ...CUSTOMER, isDeleted: true })
  expect(Object.keys(deleted).toSorted()).toEqual(Object.keys(examples.deleted_customer ?? {}).toSorted())
  expect(deleted).toMatchObject({ object: 'customer', deleted: true })
})
