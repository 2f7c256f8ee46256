import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'

const webhookParams = z.object({ id: idSchemaWithError('payment.webhook_unsigned') })
const received = z.object({ received: z.literal(true) })

/** Operations that receive the payment providers' webhooks. */
export const webhookOperations = defineOperations({
  receiveStripeEvent: {
    address: at.receiveStripeEvent,
    summary: 'Webhook of Stripe about payments and accounts',
    tag: 'Webhooks',
    answers: { 200: received },
    problems: ['payment.webhook_unsigned'],
  },
  receiveStripeBillingEvent: {
    address: at.receiveStripeBillingEvent,
    summary: "Webhook of Stripe about owners' plans",
    tag: 'Webhooks',
    answers: { 200: received },
    problems: ['payment.webhook_unsigned'],
  },
  receivePaypalEvent: {
    address: at.receivePaypalEvent,
    summary: 'Webhook of PayPal about the payments of one calendar',
    tag: 'Webhooks',
    params: webhookParams,
    answers: { 200: received },
    problems: ['payment.webhook_unsigned'],
  },
})
