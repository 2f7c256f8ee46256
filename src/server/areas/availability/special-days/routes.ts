import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { specialDaysOperations } from '#contract/availability/special-days-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  addSpecialDays,
  changeSpecialDays,
  getSpecialDays,
  removeSpecialDays,
  type SpecialDaysDeps,
} from './use-cases.ts'

/** Routes for days that are closed or have their own hours. */
export function specialDaysRoutes(deps: SpecialDaysDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(specialDaysOperations.listSpecialDays),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getSpecialDays(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(specialDaysOperations.addSpecialDays),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addSpecialDays(deps, ownerId, request.params.id, request.body))
      },
    })

    app.route({
      ...toRoute(specialDaysOperations.changeSpecialDays),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, special_days_id: id } = request.params
        return changeSpecialDays(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...toRoute(specialDaysOperations.removeSpecialDays),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, special_days_id: id } = request.params
        await removeSpecialDays(deps, ownerId, { calendarId, id })
        return reply.code(204).send()
      },
    })
  }
}
