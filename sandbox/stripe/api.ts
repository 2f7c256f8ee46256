import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { originOf } from '#sandbox/kit/sandbox-server.ts'
import { failIfRequested, hangIfRequested, invalidRequest, noSuch, StripeFault } from './fault.ts'
import { createRefund, createSession, expireSession, type Operation } from './operations.ts'
import { keyIn, toList, toRefund, toSession } from './resources.ts'
import { respondOnce } from './respond-once.ts'
import { ACCOUNTS, findPayment, type SandboxWorld } from './world.ts'

/** Registers the part of Stripe's API that the product uses, always for a connected account. */
export function registerApi(app: FastifyInstance, world: SandboxWorld): void {
  app.register(async (api) => {
    api.setErrorHandler(sendFault)
    api.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', `req_${request.id}`)
      if (request.headers.authorization !== `Bearer ${world.secretKey}`) {
        throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      }
      await requireConnected(world, accountOf(request))
    })

    const post = (path: string, operation: Operation, hangsOn: Parameters<typeof hangIfRequested>[1]) =>
      api.post<{ Params: { id?: string } }>(path, async (request, reply) => {
        const accountId = accountOf(request)
        const { url, body, params } = request
        const key = request.headers['idempotency-key']?.toString()
        let email = ''
        const answer = await respondOnce(world, { accountId, key, url, body }, async (trx) => {
          const asked = { trx, accountId, id: params.id ?? '', origin: originOf(request), body }
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
        const payment = await findPayment(world, world.db, keyIn(id))
        if (payment?.accountId !== accountOf(request)) throw noSuch('checkout.session', id)
        failIfRequested(payment.customerEmail, 'read')
        await hangIfRequested(payment.customerEmail, 'read')
        const isExpanded = Object.values(request.query).includes('payment_intent.latest_charge.refunds')
        return toSession(payment, { origin: originOf(request), isExpanded })
      },
    )

    api.get<{ Querystring: { payment_intent?: string } }>('/v1/refunds', async (request) => {
      const { payment_intent = '' } = request.query
      const payment = await findPayment(world, world.db, keyIn(payment_intent))
      if (payment?.accountId !== accountOf(request)) throw noSuch('payment_intent', payment_intent)
      return toList(payment.refunds.map((refund) => toRefund(payment, refund)).reverse(), '/v1/refunds')
    })
  })
}

/** Unknown accounts count as connected, so that tests and the demo can use any account. */
async function requireConnected(world: SandboxWorld, accountId: string): Promise<void> {
  const account = await findSandboxObject(world.db, ACCOUNTS, accountId)
  if (!accountId.startsWith('acct_') || account?.isConnected === false) {
    throw new StripeFault(403, {
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
  const fault = error instanceof StripeFault ? error : invalidRequest(error.message)
  if (fault.status === 500) reply.header('stripe-should-retry', 'false')
  return reply.code(fault.status).send(fault.body)
}
