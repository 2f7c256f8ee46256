import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sessionOperations } from '#contract/accounts/session-operations.ts'
import { setCookies, toCaller } from '#server/platform/auth/caller.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { SessionsDeps } from './deps.ts'
import {
  completeSignIn,
  getSession,
  requestPasswordReset,
  resetPassword,
  signIn,
  signOut,
} from './use-cases.ts'

const accepted = { ok: true } as const

/** Routes for logging in and out, and for password resets. The session is an HttpOnly cookie. Source: rule U14. */
export function sessionRoutes(deps: SessionsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.route({
      ...toRoute(sessionOperations.signIn),
      handler: async (request, reply) => {
        const { session, cookies } = await signIn(deps, toCaller(request), request.body)
        setCookies(reply, cookies)
        return session
      },
    })

    app.route({
      ...toRoute(sessionOperations.completeSignIn),
      handler: async (request, reply) => {
        const { session, cookies } = await completeSignIn(deps, toCaller(request), request.body)
        setCookies(reply, cookies)
        return session
      },
    })

    app.route({
      ...toRoute(sessionOperations.signOut),
      handler: async (request, reply) => {
        setCookies(reply, await signOut(deps, toCaller(request)))
        return accepted
      },
    })

    app.route({
      ...toRoute(sessionOperations.getSession),
      handler: async (request, reply) => {
        const { session, cookies } = await getSession(deps, request.headers.cookie)
        setCookies(reply, cookies)
        return session
      },
    })

    app.route({
      ...toRoute(sessionOperations.requestPasswordReset),
      handler: async (request) => {
        await requestPasswordReset(deps, toCaller(request), request.body.email)
        return accepted
      },
    })

    app.route({
      ...toRoute(sessionOperations.resetPassword),
      handler: async (request) => {
        await resetPassword(deps, toCaller(request), request.body)
        return accepted
      },
    })
  }
}
