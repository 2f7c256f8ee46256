import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { messageOperations } from '#contract/messages/message-operations.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type RecipientsDeps, recordResponseByLink, unsubscribe } from './recipient-use-cases.ts'

/** Routes for links in emails about appointments. They need no session: only the reader of the email has the link. */
export function recipientRoutes(deps: RecipientsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(messageOperations.answerEmail),
      handler: async ({ body }, reply) => {
        await recordResponseByLink(deps, body.link)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(messageOperations.stopEmails),
      handler: async ({ body }, reply) => {
        await unsubscribe(deps, body.link)
        return reply.code(204).send()
      },
    })
  }
}
