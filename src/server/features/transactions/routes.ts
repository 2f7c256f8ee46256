import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listTransactionsQuery, moneyOverview, transactionsPage } from '#contract/transactions.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { getMoneyOverview, listTransactions, type TransactionsDeps } from './use-cases.ts'

const OWNER = { tags: ['Payments'], security: ownerSecurity }

/** The payments for the appointments of a calendar. */
export function transactionRoutes(deps: TransactionsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/transactions', {
      schema: {
        ...OWNER,
        operationId: 'listTransactions',
        summary: 'Payments of a calendar, newest first',
        params: calendarParams,
        querystring: listTransactionsQuery,
        response: { 200: transactionsPage, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId } = request.params
        return listTransactions(deps, ownerId, { calendarId, page: request.query.page })
      },
    })

    app.get('/api/calendars/:id/money', {
      schema: {
        ...OWNER,
        operationId: 'getMoneyOverview',
        summary: 'What a calendar has taken, given back and is owed, by month',
        params: calendarParams,
        response: { 200: moneyOverview, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getMoneyOverview(deps, ownerId, request.params.id)
      },
    })
  }
}
