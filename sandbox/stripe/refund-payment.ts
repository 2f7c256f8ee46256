import { saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { invalidRequest } from './fault.ts'
import { CARDS, refundedCents, type SandboxPayment, type SandboxRefund } from './payment.ts'
import { idsOf, toCharge, toRefund } from './resources.ts'
import { nowS, PAYMENTS, type PendingEvent, type SandboxWorld } from './world.ts'

/**
 * Refunds a payment, from the API or from the owner's dashboard. With some test cards, the refund stays pending or fails later.
 *
 * @throws StripeFault
 */
export async function refundPayment(
  world: SandboxWorld,
  trx: Trx,
  payment: SandboxPayment,
  wanted: Pick<SandboxRefund, 'amountCents' | 'metadata'>,
): Promise<{ payment: SandboxPayment; body: object; events: readonly PendingEvent[] }> {
  const { intent, charge } = idsOf(payment)
  if (payment.status !== 'paid') {
    throw invalidRequest(`This PaymentIntent (${intent}) does not have a successful charge to refund.`)
  }
  const leftCents = payment.amountCents - refundedCents(payment)
  if (leftCents === 0) {
    const code = 'charge_already_refunded'
    throw invalidRequest(`Charge ${charge} has already been refunded.`, { code })
  }
  if (wanted.amountCents < 1 || wanted.amountCents > leftCents) {
    throw invalidRequest(`Refund amount is greater than unrefunded amount on charge (${leftCents}).`)
  }
  const later = CARDS[payment.card ?? '']?.refund
  const answered: SandboxRefund = {
    ...wanted,
    number: payment.refunds.length + 1,
    createdS: nowS(world),
    status: later === 'pending' ? 'pending' : 'succeeded',
  }
  const standing: SandboxRefund = later === 'failed' ? { ...answered, status: 'failed' } : answered
  const refunded = { ...payment, refunds: [...payment.refunds, standing] }
  await saveSandboxObject(trx, PAYMENTS, payment.key, refunded)

  const { accountId } = payment
  const events: PendingEvent[] = [{ type: 'charge.refunded', accountId, object: toCharge(refunded) }]
  if (later === 'failed') {
    events.push({ type: 'refund.failed', accountId, object: toRefund(refunded, standing) })
  }
  return { payment: refunded, body: toRefund(refunded, answered), events }
}
