import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { originOfRequest } from '#sandbox/kit/sandbox-server.ts'
import { paypalMoneySchema, toCents } from '#server/integrations/paypal/paypal-money.ts'
import { getCallingClientId } from './app-guard.ts'
import { captureOrder } from './capture-order.ts'
import { createOrder, parseRequestBody } from './create-order.ts'
import { failIfRequested, hangIfRequested, notFoundError, PaypalErrorResponse } from './fault.ts'
import type { SandboxOrder } from './order.ts'
import { refundOrder } from './refund-order.ts'
import { toCaptureResource, toOrderResource, toRefundResource } from './resources.ts'
import { registerWebhooks } from './webhooks.ts'
import { ORDER_COLLECTION, ORDERS_BY_CAPTURE, type PaypalSandboxContext } from './world.ts'

const refundBody = z.strictObject({ amount: paypalMoneySchema.strict(), custom_id: z.string().max(127) })

type ById = { Params: { id: string } }

/** Registers the part of PayPal's API that Meridian uses, called by an owner's app. */
export function registerPaypalApi(app: FastifyInstance, world: PaypalSandboxContext): void {
  app.register(async (api) => {
    api.setErrorHandler(sendFault)
    registerWebhooks(api, world)

    api.post('/v2/checkout/orders', async (request, reply) => {
      const asked = {
        clientId: getCallingClientId(world, request),
        requestId: requestIdOf(request),
        body: request.body,
      }
      const { order, isNew } = await createOrder(world, asked)
      if (isNew) await hangIfRequested(order.customerEmail, 'create')
      return reply.code(isNew ? 201 : 200).send(toOrderResource(order, originOfRequest(request)))
    })

    api.get<ById>('/v2/checkout/orders/:id', async (request) => {
      const order = await getOrder(world, request, request.params.id)
      return toOrderResource(order, originOfRequest(request))
    })

    api.post<ById>('/v2/checkout/orders/:id/capture', async (request, reply) => {
      const clientId = getCallingClientId(world, request)
      const asked = { clientId, orderId: request.params.id, requestId: requestIdOf(request) }
      const order = await captureOrder(world, asked)
      await hangIfRequested(order.customerEmail, 'capture')
      return reply.code(201).send(toOrderResource(order, originOfRequest(request)))
    })

    api.get<ById>('/v2/payments/captures/:id', async (request) => {
      const order = await getOrder(world, request, await getOrderId(world, request.params.id))
      if (order.capture === null) throw notFoundError()
      return toCaptureResource(order, order.capture)
    })

    api.post<ById>('/v2/payments/captures/:id/refund', async (request, reply) => {
      const { amount, custom_id } = parseRequestBody(refundBody, request.body)
      const { order, refund } = await refundOrder(world, {
        orderId: await getOrderId(world, request.params.id),
        api: {
          clientId: getCallingClientId(world, request),
          requestId: requestIdOf(request),
          customId: custom_id,
        },
        amountCents: toCents(amount),
      })
      await hangIfRequested(order.customerEmail, 'refund')
      return reply.code(201).send(toRefundResource(order, refund))
    })
  })
}

/** @throws PaypalErrorResponse when this app has no such order */
async function getOrder(
  world: PaypalSandboxContext,
  request: FastifyRequest,
  id: string,
): Promise<SandboxOrder> {
  const clientId = getCallingClientId(world, request)
  const order = await findSandboxObject(world.db, ORDER_COLLECTION, id)
  if (order?.clientId !== clientId) throw notFoundError()
  failIfRequested(order.customerEmail, 'read')
  await hangIfRequested(order.customerEmail, 'read')
  return order
}

/** @throws PaypalErrorResponse */
async function getOrderId(world: PaypalSandboxContext, captureId: string): Promise<string> {
  const kept = await findSandboxObject(world.db, ORDERS_BY_CAPTURE, captureId)
  if (kept === null) throw notFoundError()
  return kept.orderId
}

function requestIdOf(request: FastifyRequest): string {
  const requestId = request.headers['paypal-request-id']?.toString()
  if (requestId !== undefined && requestId.length <= 108) return requestId
  const description = 'A PayPal-Request-Id is required if you are trying to process payment for an Order.'
  throw new PaypalErrorResponse(400, 'INVALID_REQUEST', [
    { issue: 'PAYPAL_REQUEST_ID_REQUIRED', description },
  ])
}

function sendFault(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault =
    error instanceof PaypalErrorResponse
      ? error
      : new PaypalErrorResponse(error.statusCode ?? 500, 'INTERNAL_SERVER_ERROR')
  return reply.code(fault.status).send(fault.body)
}
