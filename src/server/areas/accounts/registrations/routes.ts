import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { registrationOperations } from '#contract/accounts/registration-operations.ts'
import { setCookies, toCaller } from '#server/platform/auth/caller.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { confirmRegistration, type RegistrationsDeps, register } from './use-cases.ts'

const accepted = { ok: true } as const

/** Routes for registration and confirmation. Source: rule U2. */
export function registrationRoutes(deps: RegistrationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.route({
      ...toRoute(registrationOperations.signUp),
      handler: async (request, reply) => {
        const { full_name, email, password, invitation } = request.body
        const { cookies } = await register(deps, toCaller(request), {
          fullName: full_name,
          email,
          password,
          invitation,
        })
        setCookies(reply, cookies)
        return accepted
      },
    })

    app.route({
      ...toRoute(registrationOperations.confirmEmailAddress),
      handler: async (request, reply) => {
        const { user, cookies } = await confirmRegistration(deps, toCaller(request), request.body.token)
        setCookies(reply, cookies)
        return { ...accepted, user }
      },
    })
  }
}
