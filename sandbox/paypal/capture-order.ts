import { addSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { failIfRequested, notFoundError, unprocessableError } from './fault.ts'
import { makePaypalId, type SandboxOrder } from './order.ts'
import { toCaptureResource } from './resources.ts'
import { changeOrder, ORDERS_BY_CAPTURE, type PaypalSandboxContext } from './world.ts'

type Asked = { readonly clientId: string; readonly orderId: string; readonly requestId: string }

/**
 * Captures an approved order. Idempotent for the same request id.
 * @throws PaypalErrorResponse
 */
export async function captureOrder(
  world: PaypalSandboxContext,
  { clientId, orderId, requestId }: Asked,
): Promise<SandboxOrder> {
  let isDeclined = false
  const order = await changeOrder(world, orderId, async (before, trx) => {
    if (before.clientId !== clientId) throw notFoundError()
    failIfRequested(before.customerEmail, 'capture')
    if (before.capture?.requestId === requestId) return null
    refuseUnlessApproved(before)
    if (before.instrument === 'declined') {
      isDeclined = true
      return { order: { ...before, status: 'PAYER_ACTION_REQUIRED' }, events: [] }
    }
    const status = before.instrument === 'review' ? ('PENDING' as const) : ('COMPLETED' as const)
    const capture = { id: makePaypalId(), requestId, status, createdMs: world.now() }
    await addSandboxObject(trx, ORDERS_BY_CAPTURE, capture.id, { orderId })
    const after: SandboxOrder = { ...before, status: 'COMPLETED', capture }
    const type = `PAYMENT.CAPTURE.${status}`
    return { order: after, events: [{ type, clientId, resource: toCaptureResource(after, capture) }] }
  })
  if (order === null) throw notFoundError()
  if (isDeclined) {
    throw unprocessableError(
      'INSTRUMENT_DECLINED',
      "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
    )
  }
  return order
}

function refuseUnlessApproved({ status, capture }: SandboxOrder): void {
  if (capture !== null) {
    throw unprocessableError(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
    )
  }
  if (status !== 'APPROVED') {
    throw unprocessableError(
      'ORDER_NOT_APPROVED',
      "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
    )
  }
}
