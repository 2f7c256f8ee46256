import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { transactionOperations } from '#contract/payments/transaction-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { getMoneyOverview, listTransactions, type TransactionsDeps } from './use-cases.ts'

/** Routes for the payments of a calendar. */
export function transactionRoutes(deps: TransactionsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(transactionOperations.listTransactions),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId } = request.params
        return listTransactions(deps, ownerId, { calendarId, page: request.query.page })
      },
    })

    app.route({
      ...toRoute(transactionOperations.getMoneyOverview),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getMoneyOverview(deps, ownerId, request.params.id)
      },
    })
  }
}
