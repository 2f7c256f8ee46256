import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { originOfRequest } from '#sandbox/kit/sandbox-server.ts'
import {
  failIfRequested,
  hangIfRequested,
  invalidRequestError,
  noSuchResourceError,
  StripeErrorResponse,
} from './fault.ts'
import { createRefund, createSession, expireSession, type StripeOperation } from './operations.ts'
import { paymentKeyFromId, toCheckoutSessionResource, toListResource, toRefundResource } from './resources.ts'
import { respondIdempotently } from './respond-once.ts'
import { CONNECTED_ACCOUNTS, findPayment, type StripeSandboxContext } from './world.ts'

/** Registers the part of Stripe's API that Meridian uses, always for a connected account. */
export function registerStripeApi(app: FastifyInstance, world: StripeSandboxContext): void {
  app.register(async (api) => {
    api.setErrorHandler(sendFault)
    api.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', `req_${request.id}`)
      if (request.headers.authorization !== `Bearer ${world.secretKey}`) {
        throw new StripeErrorResponse(401, {
          type: 'invalid_request_error',
          message: 'Invalid API Key provided',
        })
      }
      await requireConnected(world, accountOf(request))
    })

    const post = (path: string, operation: StripeOperation, hangsOn: Parameters<typeof hangIfRequested>[1]) =>
      api.post<{ Params: { id?: string } }>(path, async (request, reply) => {
        const accountId = accountOf(request)
        const { url, body, params } = request
        const key = request.headers['idempotency-key']?.toString()
        let email = ''
        const answer = await respondIdempotently(world, { accountId, key, url, body }, async (trx) => {
          const asked = { trx, accountId, id: params.id ?? '', origin: originOfRequest(request), body }
          const result = await operation(world, asked)
          email = result.payment.customerEmail
          return result
        })
        await hangIfRequested(email, hangsOn)
        if (answer.isReplayed) reply.header('idempotent-replayed', 'true')
        // A retry with the same key would get the same error.
        if (answer.status === 500) reply.header('stripe-should-retry', 'false')
        return reply.code(answer.status).send(answer.body)
      })

    post('/v1/checkout/sessions', createSession, 'create')
    post('/v1/checkout/sessions/:id/expire', expireSession, 'read')
    post('/v1/refunds', createRefund, 'refund')

    api.get<{ Params: { id: string }; Querystring: Record<string, string> }>(
      '/v1/checkout/sessions/:id',
      async (request) => {
        const { id } = request.params
        const payment = await findPayment(world, world.db, paymentKeyFromId(id))
        if (payment?.accountId !== accountOf(request)) throw noSuchResourceError('checkout.session', id)
        failIfRequested(payment.customerEmail, 'read')
        await hangIfRequested(payment.customerEmail, 'read')
        const isExpanded = Object.values(request.query).includes('payment_intent.latest_charge.refunds')
        return toCheckoutSessionResource(payment, { origin: originOfRequest(request), isExpanded })
      },
    )

    api.get<{ Querystring: { payment_intent?: string } }>('/v1/refunds', async (request) => {
      const { payment_intent = '' } = request.query
      const payment = await findPayment(world, world.db, paymentKeyFromId(payment_intent))
      if (payment?.accountId !== accountOf(request))
        throw noSuchResourceError('payment_intent', payment_intent)
      return toListResource(
        payment.refunds.map((refund) => toRefundResource(payment, refund)).reverse(),
        '/v1/refunds',
      )
    })
  })
}

/** Unknown accounts count as connected, so that tests and the demo can use any account. */
async function requireConnected(world: StripeSandboxContext, accountId: string): Promise<void> {
  const account = await findSandboxObject(world.db, CONNECTED_ACCOUNTS, accountId)
  if (!accountId.startsWith('acct_') || account?.isConnected === false) {
    throw new StripeErrorResponse(403, {
      type: 'invalid_request_error',
      message: `The provided key does not have access to account '${accountId}' (or that account does not exist). Application access may have been revoked.`,
      code: 'account_invalid',
    })
  }
}

function accountOf(request: FastifyRequest): string {
  return request.headers['stripe-account']?.toString() ?? ''
}

function sendFault(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = error instanceof StripeErrorResponse ? error : invalidRequestError(error.message)
  if (fault.status === 500) reply.header('stripe-should-retry', 'false')
  return reply.code(fault.status).send(fault.body)
}
