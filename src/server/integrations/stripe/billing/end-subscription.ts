import Stripe from 'stripe'
import { isFailedRefund } from '../checkout-state.ts'
import { isNotFoundError } from './billing-errors.ts'
import { SCHEDULE_EXPANSION, toActiveSchedule, toId } from './subscription-state.ts'

/** Ends a subscription immediately, and refunds its last payment if requested. Idempotent. */
export async function endSubscription(
  stripe: Stripe,
  { subscriptionId, refund }: { readonly subscriptionId: string; readonly refund: boolean },
): Promise<void> {
  try {
    await cancelNow(stripe, subscriptionId)
  } catch (error) {
    // Stripe refuses to end a subscription twice. An earlier request, whose response was lost, may have ended it.
    if (!(await isEnded(stripe, subscriptionId))) throw error
  }
  if (refund) await refundLastPayment(stripe, subscriptionId)
}

/** Ends a subscription now, without prorating the rest of the period: a refund returns the whole payment. */
async function cancelNow(stripe: Stripe, subscriptionId: string): Promise<void> {
  const inFull = { prorate: false, invoice_now: false }
  const { ended_at, schedule } = await stripe.subscriptions.retrieve(subscriptionId, {
    expand: [SCHEDULE_EXPANSION],
  })
  if (ended_at !== null) return
  const planned = toActiveSchedule(schedule)
  // While a schedule manages the subscription, Stripe requires us to cancel the schedule instead.
  if (planned !== null) await stripe.subscriptionSchedules.cancel(planned.id, inFull)
  else await stripe.subscriptions.cancel(subscriptionId, inFull)
}

/** True when a subscription has ended. One that does not exist counts as ended. */
async function isEnded(stripe: Stripe, subscriptionId: string): Promise<boolean> {
  try {
    const { ended_at } = await stripe.subscriptions.retrieve(subscriptionId)
    return ended_at !== null
  } catch (error) {
    if (isNotFoundError(error)) return true
    throw error
  }
}

async function refundLastPayment(stripe: Stripe, subscriptionId: string): Promise<void> {
  const intentId = await findLastPayment(stripe, subscriptionId)
  if (intentId === null) return
  const { data: refunds } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 })
  if (refunds.some((refund) => !isFailedRefund(refund))) return
  // Stripe repeats its first refusal for a day, so the key changes after each failed refund.
  const idempotencyKey = `plan-refund-${intentId}-${refunds.length}`
  try {
    await stripe.refunds.create({ payment_intent: intentId }, { idempotencyKey })
  } catch (error) {
    if (!isRefundedAlready(error)) throw error
  }
}

async function findLastPayment(stripe: Stripe, subscriptionId: string): Promise<string | null> {
  const { data: invoices } = await stripe.invoices.list({
    subscription: subscriptionId,
    status: 'paid',
    limit: 100,
  })
  const invoice = invoices.find(({ amount_paid }) => amount_paid > 0)
  if (invoice?.id === undefined) return null
  const { data: payments } = await stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid' })
  const intent = payments[0]?.payment.payment_intent
  return intent === undefined ? null : toId(intent)
}

function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'
}
