import { failIfRequested, findRequestedFailure, notFoundError, unprocessableError } from './fault.ts'
import { makePaypalId, type SandboxOrder, type SandboxRefund, sumRefundedCents } from './order.ts'
import { toRefundResource } from './resources.ts'
import { changeOrder, type PaypalSandboxContext } from './world.ts'

type Asked = {
  readonly orderId: string
  /** The API caller; null for a refund from the dashboard. */
  readonly api: {
    readonly clientId: string
    readonly requestId: string
    readonly customId: string | null
  } | null
  /** When undefined, the entire remaining amount is refunded. */
  readonly amountCents: number | undefined
}

/**
 * Refunds an order, from the API or from the owner's dashboard. Idempotent for the same request id.
 *
 * @throws PaypalErrorResponse
 */
export async function refundOrder(
  world: PaypalSandboxContext,
  { orderId, api, amountCents }: Asked,
): Promise<{ order: SandboxOrder; refund: SandboxRefund }> {
  let isPoor = false
  let refund: SandboxRefund | undefined
  const order = await changeOrder(world, orderId, (before) => {
    if (api !== null) failWhenNotOurs(before, api.clientId)
    refund = before.refunds.find(({ requestId }) => requestId !== null && requestId === api?.requestId)
    if (refund !== undefined) return null
    isPoor = api !== null && lacksMoneyOnce(before)
    if (isPoor) return { order: { ...before, hasRefusedRefund: true }, events: [] }
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
      events: [{ type: 'PAYMENT.CAPTURE.REFUNDED', clientId, resource: toRefundResource(after, kept) }],
    }
  })
  if (isPoor) {
    throw unprocessableError(
      'REFUND_FAILED_INSUFFICIENT_FUNDS',
      'Capture could not be refunded due to insufficient funds. Please check to see if you have sufficient funds in your PayPal account or if the bank account linked to your PayPal account is verified and has sufficient funds.',
    )
  }
  if (order === null || refund === undefined) throw notFoundError()
  return { order, refund }
}

/** @throws PaypalErrorResponse */
function failWhenNotOurs(order: SandboxOrder, clientId: string): void {
  if (order.clientId !== clientId) throw notFoundError()
  failIfRequested(order.customerEmail, 'refund')
}

/** True when the customer's email address requests a refusal for lack of funds that has not happened yet. It happens once. */
function lacksMoneyOnce({ customerEmail, hasRefusedRefund }: SandboxOrder): boolean {
  return findRequestedFailure(customerEmail, 'refund') === 'refused' && !hasRefusedRefund
}

/** @throws PaypalErrorResponse when less than the wanted amount is left */
function getRefundable(order: SandboxOrder, wantedCents: number | undefined): number {
  const leftCents = order.amountCents - sumRefundedCents(order)
  if (order.capture?.status !== 'COMPLETED') {
    throw unprocessableError('REFUND_NOT_ALLOWED', 'Capture cannot be refunded.')
  }
  if (leftCents === 0) {
    throw unprocessableError('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded')
  }
  const cents = wantedCents ?? leftCents
  if (cents < 1 || cents > leftCents) {
    throw unprocessableError(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    )
  }
  return cents
}
