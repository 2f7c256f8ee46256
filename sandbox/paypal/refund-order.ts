import { failureAskedFor, failWhenAsked, notFound, unprocessable } from './fault.ts'
import { makePaypalId, refundedCents, type SandboxOrder, type SandboxRefund } from './order.ts'
import { toRefund } from './resources.ts'
import { changeOrder, type SandboxWorld } from './world.ts'

type Asked = {
  readonly orderId: string
  /** Null in the dashboard. */
  readonly api: {
    readonly clientId: string
    readonly requestId: string
    readonly customId: string | null
  } | null
  /** Everything that is left, when absent. */
  readonly amountCents: number | undefined
}

/**
 * Gives money of an order back; the API and the owner's dashboard both do it like this. Asked for again with the same request
 * id, it is the same refund.
 *
 * @throws PaypalFault
 */
export async function refundOrder(
  world: SandboxWorld,
  { orderId, api, amountCents }: Asked,
): Promise<{ order: SandboxOrder; refund: SandboxRefund }> {
  let isPoor = false
  let refund: SandboxRefund | undefined
  const order = await changeOrder(world, orderId, (before) => {
    if (api !== null) failWhenNotOurs(before, api.clientId)
    refund = before.refunds.find(({ requestId }) => requestId !== null && requestId === api?.requestId)
    if (refund !== undefined) return null
    isPoor = api !== null && isPoorOnce(before)
    if (isPoor) return { order: { ...before, hasRefusedRefund: true }, happened: [] }
    refund = {
      id: makePaypalId(),
      requestId: api?.requestId ?? null,
      amountCents: getRefundable(before, amountCents),
      customId: api?.customId ?? null,
      status: before.instrument === 'refund_pending' ? 'PENDING' : 'COMPLETED',
      createdMs: world.now(),
    }
    const kept: SandboxRefund =
      before.instrument === 'refund_failed' ? { ...refund, status: 'FAILED' } : refund
    const after = { ...before, refunds: [...before.refunds, kept] }
    const { clientId } = before
    return {
      order: after,
      happened: [{ type: 'PAYMENT.CAPTURE.REFUNDED', clientId, resource: toRefund(after, kept) }],
    }
  })
  if (isPoor) {
    throw unprocessable(
      'REFUND_FAILED_INSUFFICIENT_FUNDS',
      'Capture could not be refunded due to insufficient funds. Please check to see if you have sufficient funds in your PayPal account or if the bank account linked to your PayPal account is verified and has sufficient funds.',
    )
  }
  if (order === null || refund === undefined) throw notFound()
  return { order, refund }
}

/** @throws PaypalFault */
function failWhenNotOurs(order: SandboxOrder, clientId: string): void {
  if (order.clientId !== clientId) throw notFound()
  failWhenAsked(order.customerEmail, 'refund')
}

/** Whether the owner's account has too little this time, as the customer's address asks for. */
function isPoorOnce({ customerEmail, hasRefusedRefund }: SandboxOrder): boolean {
  return failureAskedFor(customerEmail, 'refund') === 'refused' && !hasRefusedRefund
}

/** @throws PaypalFault when there is not so much left */
function getRefundable(order: SandboxOrder, wantedCents: number | undefined): number {
  const leftCents = order.amountCents - refundedCents(order)
  if (order.capture?.status !== 'COMPLETED') {
    throw unprocessable('REFUND_NOT_ALLOWED', 'Capture cannot be refunded.')
  }
  if (leftCents === 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded')
  }
  const cents = wantedCents ?? leftCents
  if (cents < 1 || cents > leftCents) {
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    )
  }
  return cents
}
