import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  accountProofBody,
  emailChangeBody,
  notificationChanges,
  profileChanges,
  profileSchema,
} from '#contract/profile.ts'
import { acceptedResponse } from '#contract/sessions.ts'
import { type SessionsDeps, signOut } from '#server/features/sessions/use-cases.ts'
import { setCookies, toCaller } from '#server/platform/auth/caller.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ownerRefusals, ownerSecurity, type SignedInGuard } from '#server/platform/http/owner-routes.ts'
import { cancelEmailChange, confirmEmailChange } from './email-change.ts'
import { exportAccount } from './export.ts'
import {
  changeNotifications,
  changeProfile,
  deleteAccount,
  getProfile,
  type ProfileDeps,
} from './use-cases.ts'

const tags = ['Profile and subscription']
/** Archives per owner and hour: each one reads everything. */
const EXPORTS_PER_HOUR = 5

/** The owner's profile and account. Source: rule U11. */
export function profileRoutes(
  deps: ProfileDeps & Pick<SessionsDeps, 'devices'>,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  const keyGenerator = async (request: FastifyRequest) => (await signedIn(request)).ownerId
  const exportLimit = { max: EXPORTS_PER_HOUR, timeWindow: '1 hour', keyGenerator }

  return async (app) => {
    app.get('/api/profile', {
      schema: {
        operationId: 'getProfile',
        summary: 'My profile',
        tags,
        security: ownerSecurity,
        response: { 200: profileSchema, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getProfile(deps, ownerId)
      },
    })

    app.patch('/api/profile', {
      schema: {
        operationId: 'updateProfile',
        summary: 'Change my profile; another address takes effect when it is confirmed',
        tags,
        security: ownerSecurity,
        body: profileChanges,
        response: { 200: profileSchema, ...ownerRefusals, 409: problemSchema, 429: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeProfile(deps, ownerId, request.body)
      },
    })

    app.patch('/api/profile/notifications', {
      schema: {
        operationId: 'updateNotifications',
        summary: 'Which messages I get',
        tags,
        security: ownerSecurity,
        body: notificationChanges,
        response: { 200: profileSchema, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeNotifications(deps, ownerId, request.body)
      },
    })

    app.delete('/api/profile/email-change', {
      schema: {
        operationId: 'cancelEmailChange',
        summary: 'Stay with my present address',
        tags,
        security: ownerSecurity,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await cancelEmailChange(deps, ownerId)
        return reply.code(204).send()
      },
    })

    app.post('/api/profile/export', {
      config: { rateLimit: exportLimit },
      schema: {
        operationId: 'exportAccount',
        summary: 'Everything I have here, as a ZIP archive of JSON and CSV files',
        tags,
        security: ownerSecurity,
        body: accountProofBody,
        response: {
          200: { content: { 'application/zip': { schema: z.any() } } },
          ...ownerRefusals,
          429: problemSchema,
        },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const archive = await exportAccount(deps, ownerId, request.body.password)
        const day = new Date(deps.now()).toISOString().slice(0, 10)
        return reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="meridian-${day}.zip"`)
          .send(Readable.from(archive, { objectMode: false }))
      },
    })

    app.delete('/api/profile', {
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete my account and everything in it',
        tags,
        security: ownerSecurity,
        body: accountProofBody,
        response: { 204: z.undefined(), ...ownerRefusals, 409: problemSchema, 429: problemSchema },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteAccount(deps, ownerId, request.body.password)
        await clearCookies(deps, request, reply, ownerId)
        return reply.code(204).send()
      },
    })

    app.post('/api/auth/email-change', {
      schema: {
        operationId: 'confirmEmailChange',
        summary: 'Move an account to another address by a link from an email',
        tags,
        body: emailChangeBody,
        response: { 200: acceptedResponse, 400: problemSchema, 403: problemSchema, 429: problemSchema },
      },
      handler: async (request) => {
        await confirmEmailChange(deps, toCaller(request), request.body.token)
        return { ok: true } as const
      },
    })
  }
}

/** The session went with the account. A cookie that could not be removed as well is worth nothing. */
async function clearCookies(
  { auth, devices }: Pick<SessionsDeps, 'auth' | 'devices'>,
  request: FastifyRequest,
  reply: FastifyReply,
  ownerId: OwnerId,
): Promise<void> {
  try {
    const cookies = await signOut({ auth }, toCaller(request))
    setCookies(reply, [...cookies, devices.forget(devices.read(request.headers.cookie), ownerId)])
  } catch (err) {
    request.log.warn({ err }, 'cookies of a deleted account')
  }
}
