import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { questionOperations } from '#contract/appointments/question-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeQuestions, getQuestions, type QuestionsDeps } from './use-cases.ts'

/** Routes for the questions of a calendar, for its owner. */
export function questionRoutes(deps: QuestionsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(questionOperations.listQuestions),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getQuestions(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(questionOperations.changeQuestions),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeQuestions(deps, ownerId, request.params.id, request.body)
      },
    })
  }
}
