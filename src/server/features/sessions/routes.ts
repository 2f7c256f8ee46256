import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  acceptedResponse,
  passwordResetBody,
  passwordResetRequestBody,
  secondFactorBody,
  sessionResponse,
  signInBody,
  signInResponse,
} from '#contract/sessions.ts'
import { setCookies, toCaller } from '#server/platform/auth/caller.ts'
import {
  completeSignIn,
  getSession,
  requestPasswordReset,
  resetPassword,
  type SessionsDeps,
  signIn,
  signOut,
} from './use-cases.ts'

const tags = ['Sessions']
const refusals = { 400: problemSchema, 403: problemSchema, 429: problemSchema }
const accepted = { ok: true } as const

/** Accounts and sessions. The session is an HttpOnly cookie. Source: rule U14. */
export function sessionRoutes(deps: SessionsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.post('/api/auth/sign-in', {
      schema: {
        operationId: 'signIn',
        summary: 'Log in with email and password',
        tags,
        body: signInBody,
        response: { 200: signInResponse, 401: problemSchema, ...refusals },
      },
      handler: async (request, reply) => {
        const { session, cookies } = await signIn(deps, toCaller(request), request.body)
        setCookies(reply, cookies)
        return session
      },
    })

    app.post('/api/auth/two-factor', {
      schema: {
        operationId: 'completeSignIn',
        summary: 'The second step of logging in, with a code of the app or a backup code',
        tags,
        body: secondFactorBody,
        response: { 200: sessionResponse, 401: problemSchema, ...refusals },
      },
      handler: async (request, reply) => {
        const { session, cookies } = await completeSignIn(deps, toCaller(request), request.body)
        setCookies(reply, cookies)
        return session
      },
    })

    app.post('/api/auth/sign-out', {
      schema: {
        operationId: 'signOut',
        summary: 'End the session',
        tags,
        response: { 200: acceptedResponse, ...refusals },
      },
      handler: async (request, reply) => {
        setCookies(reply, await signOut(deps, toCaller(request)))
        return accepted
      },
    })

    app.get('/api/auth/session', {
      schema: {
        operationId: 'getSession',
        summary: 'Who is logged in, or null',
        tags,
        response: { 200: sessionResponse },
      },
      handler: async (request, reply) => {
        const { session, cookies } = await getSession(deps, request.headers.cookie)
        setCookies(reply, cookies)
        return session
      },
    })

    app.post('/api/auth/password-reset-request', {
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Send a reset link, if the address has an account',
        tags,
        body: passwordResetRequestBody,
        response: { 200: acceptedResponse, ...refusals },
      },
      handler: async (request) => {
        await requestPasswordReset(deps, toCaller(request), request.body.email)
        return accepted
      },
    })

    app.post('/api/auth/password-reset', {
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password by a link from an email',
        tags,
        body: passwordResetBody,
        response: { 200: acceptedResponse, ...refusals },
      },
      handler: async (request) => {
        await resetPassword(deps, toCaller(request), request.body)
        return accepted
      },
    })
  }
}
