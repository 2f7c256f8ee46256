import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { contactMessageBody } from '#contract/contact.ts'
import { LIMITS } from '#contract/limits.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { type ContactDeps, sendContactMessage } from './use-cases.ts'

const throttle = {
  max: LIMITS.contactMessagesPerHour,
  timeWindow: '1 hour',
  errorResponseBuilder: () => new ProblemError('contact.too_many'),
}

/** Writing to the operator of the installation, for anyone. */
export function contactRoutes(deps: ContactDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post('/api/public/contact-messages', {
      config: { rateLimit: throttle },
      schema: {
        operationId: 'sendContactMessage',
        summary: 'Write to the operator',
        tags: ['Contact'],
        body: contactMessageBody,
        response: { 204: z.undefined(), 400: problemSchema, 404: problemSchema, 429: problemSchema },
      },
      handler: async ({ body: { website, ...message } }, reply) => {
        // A program filled it in. The answer does not say that this was noticed.
        if (website === '') await sendContactMessage(deps, message)
        return reply.code(204).send()
      },
    })
  }
}
