import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { contactOperations } from '#contract/messages/contact-operations.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type ContactDeps, sendContactMessage } from './use-cases.ts'

const throttle = {
  max: LIMITS.contactMessagesPerHour,
  timeWindow: '1 hour',
  errorResponseBuilder: () => new ProblemError('contact.too_many'),
}

/** Route of the public contact form for writing to the operator. */
export function contactRoutes(deps: ContactDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      config: { rateLimit: throttle },
      ...toRoute(contactOperations.sendContactMessage),
      handler: async ({ body: { website, ...message } }, reply) => {
        // If the hidden field `website` is filled in, a bot sent the form: drop the message. The response does not
        // reveal that.
        if (website === '') await sendContactMessage(deps, message)
        return reply.code(204).send()
      },
    })
  }
}
