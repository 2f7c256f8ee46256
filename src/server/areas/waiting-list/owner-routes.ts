import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { waitingListOperations } from '#contract/waiting-list/waiting-list-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { WaitingActionsDeps } from './deps.ts'
import {
  addToWaitingList,
  countWaitingOnEachCalendar,
  listMatchingFreeTimes,
  listWaitingEntries,
  makeOffer,
  removeFromWaitingList,
  withdrawOffer,
} from './owner-use-cases.ts'

/** Routes of the waiting list for the owner of a calendar. */
export function ownerWaitingRoutes(deps: WaitingActionsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)
    const toKey = (params: { id: string; entry_id: string }) => ({
      calendar_id: params.id,
      id: params.entry_id,
    })

    app.route({
      ...toRoute(waitingListOperations.listWaitingCounts),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return countWaitingOnEachCalendar(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.listWaiting),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listWaitingEntries(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.addToWaitingList),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const added = await addToWaitingList(deps, ownerId, request.params.id, request.body)
        return reply.code(201).send(added)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.removeFromWaitingList),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await removeFromWaitingList(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(waitingListOperations.listFittingTimes),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listMatchingFreeTimes(deps, ownerId, toKey(request.params))
      },
    })

    app.route({
      ...toRoute(waitingListOperations.makeOffer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await makeOffer(deps, ownerId, toKey(request.params), Date.parse(request.body.starts_at))
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(waitingListOperations.withdrawOffer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await withdrawOffer(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })
  }
}
