import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { transactionOperations } from '#contract/payments/transaction-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { getMoneyOverview, listTransactions, type TransactionsDeps } from './use-cases.ts'

/** Routes for the payments of a calendar. */
export function transactionRoutes(deps: TransactionsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(transactionOperations.listTransactions),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId } = request.params
        return listTransactions(deps, ownerId, { calendarId, page: request.query.page })
      },
    })

    app.route({
      ...serve(transactionOperations.getMoneyOverview),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getMoneyOverview(deps, ownerId, request.params.id)
      },
    })
  }
}
