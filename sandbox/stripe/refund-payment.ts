import { saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { invalidRequestError } from './fault.ts'
import { type SandboxPayment, type SandboxRefund, sumRefundedCents, TEST_CARDS } from './payment.ts'
import { resourceIdsOf, toChargeResource, toRefundResource } from './resources.ts'
import { nowSeconds, PAYMENT_COLLECTION, type PendingEvent, type StripeSandboxContext } from './world.ts'

/**
 * Refunds a payment, from the API or from the owner's dashboard. With some test cards, the refund stays pending or fails later.
 *
 * @throws StripeErrorResponse
 */
export async function refundPayment(
  world: StripeSandboxContext,
  trx: Trx,
  payment: SandboxPayment,
  wanted: Pick<SandboxRefund, 'amountCents' | 'metadata'>,
): Promise<{ payment: SandboxPayment; body: object; events: readonly PendingEvent[] }> {
  const { intent, charge } = resourceIdsOf(payment)
  if (payment.status !== 'paid') {
    throw invalidRequestError(`This PaymentIntent (${intent}) does not have a successful charge to refund.`)
  }
  const leftCents = payment.amountCents - sumRefundedCents(payment)
  if (leftCents === 0) {
    const code = 'charge_already_refunded'
    throw invalidRequestError(`Charge ${charge} has already been refunded.`, { code })
  }
  if (wanted.amountCents < 1 || wanted.amountCents > leftCents) {
    throw invalidRequestError(`Refund amount is greater than unrefunded amount on charge (${leftCents}).`)
  }
  const later = TEST_CARDS[payment.card ?? '']?.refund
  const answered: SandboxRefund = {
    ...wanted,
    number: payment.refunds.length + 1,
    createdS: nowSeconds(world),
    status: later === 'pending' ? 'pending' : 'succeeded',
  }
  const standing: SandboxRefund = later === 'failed' ? { ...answered, status: 'failed' } : answered
  const refunded = { ...payment, refunds: [...payment.refunds, standing] }
  await saveSandboxObject(trx, PAYMENT_COLLECTION, payment.key, refunded)

  const { accountId } = payment
  const events: PendingEvent[] = [{ type: 'charge.refunded', accountId, object: toChargeResource(refunded) }]
  if (later === 'failed') {
    events.push({ type: 'refund.failed', accountId, object: toRefundResource(refunded, standing) })
  }
  return { payment: refunded, body: toRefundResource(refunded, answered), events }
}
