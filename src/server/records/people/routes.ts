import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { peopleOperations } from '#contract/calendars/people-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  changePersonOfCalendar,
  dismissExistingOverlaps,
  getExistingOverlaps,
  getOverlapsWithPerson,
  getPeople,
  type PeopleDeps,
} from './use-cases.ts'

/** Routes for the people whose time is booked. */
export function peopleRoutes(deps: PeopleDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(peopleOperations.listPeople),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getPeople(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(peopleOperations.listOverlapsWithPerson),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getOverlapsWithPerson(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...toRoute(peopleOperations.changePersonOfCalendar),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changePersonOfCalendar(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(peopleOperations.listKeptOverlaps),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getExistingOverlaps(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(peopleOperations.putKeptOverlapsAway),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await dismissExistingOverlaps(deps, ownerId)
        return reply.code(204).send()
      },
    })
  }
}
