import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { waitingListOperations } from '#contract/waiting-list/waiting-list-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { acceptOffer } from './accept-offer.ts'
import type { WaitingActionsDeps } from './deps.ts'
import { getWaitingView } from './get-waiting-view.ts'
import {
  confirmWaitingRequest,
  declineOffer,
  getLinkedEntry,
  joinWaitingList,
  leaveWaitingList,
} from './use-cases.ts'

/** Routes of the waiting list for customers. No login: the emailed link grants access. GET requests change nothing. */
export function waitingRoutes(deps: WaitingActionsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(waitingListOperations.joinWaitingList),
      handler: async (request, reply) => {
        const { params, body } = request
        const asking = { slug: params.slug, body, client: clientOfRequest(request) }
        return reply.code(202).send(await joinWaitingList(deps, asking))
      },
    })

    app.route({
      ...toRoute(waitingListOperations.getWaitingView),
      handler: ({ params }) => getWaitingView(deps, params.token),
    })

    app.route({
      ...toRoute(waitingListOperations.confirmWaiting),
      handler: async ({ params }) => {
        await confirmWaitingRequest(deps, params.token)
        return getWaitingView(deps, params.token)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.acceptOffer),
      handler: async ({ params, body }) => {
        const { offer, ...linked } = await getLinkedEntry(deps, params.token)
        if (offer === null) throw new ProblemError('waiting.nothing_offered')
        return acceptOffer(deps, { ...linked, offer }, body)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.declineOffer),
      handler: async ({ params }) => {
        await declineOffer(deps, params.token)
        return getWaitingView(deps, params.token)
      },
    })

    app.route({
      ...toRoute(waitingListOperations.leaveWaitingList),
      handler: async ({ params }) => {
        await leaveWaitingList(deps, params.token)
        return getWaitingView(deps, params.token)
      },
    })
  }
}
