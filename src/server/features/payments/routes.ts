import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  completeConnectionBody,
  completeConnectionResponse,
  connectionParams,
  connectUrlResponse,
  paymentSettingsChanges,
  paymentSettingsSchema,
} from '#contract/payment-settings.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { completeConnection, createConnectUrl, disconnectProvider } from './connection-use-cases.ts'
import { getPaymentSettings, type PaymentsDeps, savePaymentSettings } from './use-cases.ts'

const OWNER = { tags: ['Payments'], security: ownerSecurity }
const CONNECTION = '/api/calendars/:id/payment-providers/:provider/connection'

/** How calendars are paid, and the accounts that take the money. */
export function paymentRoutes(deps: PaymentsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/payment-settings', {
      schema: {
        ...OWNER,
        operationId: 'getPaymentSettings',
        summary: 'How a calendar is paid',
        params: calendarParams,
        response: { 200: paymentSettingsSchema, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getPaymentSettings(deps, ownerId, request.params.id)
      },
    })

    app.patch('/api/calendars/:id/payment-settings', {
      schema: {
        ...OWNER,
        operationId: 'savePaymentSettings',
        summary: 'Change how a calendar is paid',
        params: calendarParams,
        body: paymentSettingsChanges,
        response: { 200: paymentSettingsSchema, ...ownerRefusals, 402: problemSchema, 409: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return savePaymentSettings(deps, ownerId, request.params.id, request.body)
      },
    })

    app.post(CONNECTION, {
      schema: {
        ...OWNER,
        operationId: 'createConnectUrl',
        summary: 'Where I connect an account of a payment provider',
        params: connectionParams,
        response: { 200: connectUrlResponse, ...ownerRefusals, 402: problemSchema, 409: problemSchema },
      },
      handler: async (request) => {
        const session = await signedIn(request)
        const { id: calendarId, provider } = request.params
        return createConnectUrl(deps, session, { calendarId, provider })
      },
    })

    app.delete(CONNECTION, {
      schema: {
        ...OWNER,
        operationId: 'disconnectProvider',
        summary: 'Disconnect an account of a payment provider',
        params: connectionParams,
        response: { 204: z.undefined(), ...ownerRefusals, 409: problemSchema, 502: problemSchema },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, provider } = request.params
        await disconnectProvider(deps, ownerId, { calendarId, provider })
        return reply.code(204).send()
      },
    })

    app.post('/api/payment-connections', {
      schema: {
        ...OWNER,
        operationId: 'completeConnection',
        summary: 'Connect the account that a payment provider sent me back with',
        body: completeConnectionBody,
        response: {
          200: completeConnectionResponse,
          ...ownerRefusals,
          409: problemSchema,
          502: problemSchema,
        },
      },
      handler: async (request) => completeConnection(deps, await signedIn(request), request.body),
    })
  }
}
