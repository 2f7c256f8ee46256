import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { problemSchema } from '#contract/problem-schema.ts'
import { acceptedResponse, emailVerificationBody, signUpBody } from '#contract/sessions.ts'
import { toCaller } from '#server/platform/auth/caller.ts'
import { confirmRegistration, type RegistrationsDeps, register } from './use-cases.ts'

const tags = ['Sessions']
const refusals = { 400: problemSchema, 403: problemSchema, 429: problemSchema }
const accepted = { ok: true } as const

/** Registration and confirmation: how an owner gets an account. Source: rule U2. */
export function registrationRoutes(deps: RegistrationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.post('/api/auth/sign-up', {
      schema: {
        operationId: 'signUp',
        summary: 'Register; the answer does not tell whether the address has an account',
        tags,
        body: signUpBody,
        response: { 200: acceptedResponse, ...refusals },
      },
      handler: async (request) => {
        const { full_name, email, password } = request.body
        await register(deps, toCaller(request), { fullName: full_name, email, password })
        return accepted
      },
    })

    app.post('/api/auth/email-verification', {
      schema: {
        operationId: 'confirmEmailAddress',
        summary: 'Confirm an address by a link from an email',
        tags,
        body: emailVerificationBody,
        response: { 200: acceptedResponse, ...refusals },
      },
      handler: async (request) => {
        await confirmRegistration(deps, toCaller(request), request.body.token)
        return accepted
      },
    })
  }
}
