import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { emailLinkBody } from '#contract/email-links.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import { answerByLink, type RecipientsDeps, stopEmails } from './recipients.ts'

const response = { 204: z.undefined(), 400: problemSchema, 429: problemSchema }

/** The links of emails about appointments. There is no session: only the reader of the email has the link. */
export function recipientRoutes(deps: RecipientsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.post('/api/public/email-answers', {
      schema: {
        operationId: 'answerEmail',
        summary: 'Say that the reader of an email knows of the booking; undoes a stop',
        tags: ['Public booking'],
        body: emailLinkBody,
        response,
      },
      handler: async ({ body }, reply) => {
        await answerByLink(deps, body.link)
        return reply.code(204).send()
      },
    })

    app.post('/api/public/email-stops', {
      schema: {
        operationId: 'stopEmails',
        summary: 'Stop emails about appointments to the address that got the link',
        tags: ['Public booking'],
        body: emailLinkBody,
        response,
      },
      handler: async ({ body }, reply) => {
        await stopEmails(deps, body.link)
        return reply.code(204).send()
      },
    })
  }
}
