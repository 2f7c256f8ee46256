import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { waitingListOperations } from '#contract/waiting-list/waiting-list-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import type { WaitingActionsDeps } from './deps.ts'
import {
  addToWaitingList,
  listFittingTimes,
  listWaitingCounts,
  listWaitingEntries,
  makeOffer,
  removeFromWaitingList,
  withdrawOffer,
} from './owner-use-cases.ts'

/** Routes of the waiting list for the owner of a calendar. */
export function ownerWaitingRoutes(deps: WaitingActionsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)
    const toKey = (params: { id: string; entry_id: string }) => ({
      calendar_id: params.id,
      id: params.entry_id,
    })

    app.route({
      ...serve(waitingListOperations.listWaitingCounts),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listWaitingCounts(deps, ownerId)
      },
    })

    app.route({
      ...serve(waitingListOperations.listWaiting),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listWaitingEntries(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...serve(waitingListOperations.addToWaitingList),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const added = await addToWaitingList(deps, ownerId, request.params.id, request.body)
        return reply.code(201).send(added)
      },
    })

    app.route({
      ...serve(waitingListOperations.removeFromWaitingList),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await removeFromWaitingList(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(waitingListOperations.listFittingTimes),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listFittingTimes(deps, ownerId, toKey(request.params))
      },
    })

    app.route({
      ...serve(waitingListOperations.makeOffer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await makeOffer(deps, ownerId, toKey(request.params), Date.parse(request.body.starts_at))
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(waitingListOperations.withdrawOffer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await withdrawOffer(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })
  }
}
