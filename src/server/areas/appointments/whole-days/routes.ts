import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { wholeDaysOperations } from '#contract/appointments/whole-days-operations.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { createManyChange, getManyChange, getManyChangeEffect } from './use-cases.ts'

/** Routes for owners who cancel or move all appointments of whole days. */
export function manyChangeRoutes(
  deps: BookingsDeps & { readonly budgets: Pick<Budgets, 'spend'> },
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(wholeDaysOperations.getManyChangeEffect),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getManyChangeEffect(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...toRoute(wholeDaysOperations.createManyChange),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(202).send(await createManyChange(deps, ownerId, request.params.id, request.body))
      },
    })

    app.route({
      ...toRoute(wholeDaysOperations.getManyChange),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, change_id: changeId } = request.params
        return getManyChange(deps, ownerId, { calendarId, changeId })
      },
    })
  }
}
