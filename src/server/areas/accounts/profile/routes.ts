import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { profileOperations } from '#contract/accounts/profile-operations.ts'
import type { SessionsDeps } from '#server/areas/accounts/sessions/deps.ts'
import { signOut } from '#server/areas/accounts/sessions/use-cases.ts'
import { setCookies, toCaller } from '#server/platform/auth/caller.ts'
import type { OwnerGuard, OwnerId } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { cancelEmailChange, confirmEmailChange } from './email-change-use-cases.ts'
import { type ExportDeps, exportAccount } from './export-use-cases.ts'
import {
  changeNotifications,
  changeProfile,
  deleteAccount,
  getProfile,
  type ProfileDeps,
} from './use-cases.ts'

/** Maximum number of exports per owner and hour. It is low, because each export reads all of the owner's data. */
const EXPORTS_PER_HOUR = 5

/** Routes for the owner's profile and account. Source: rule U11. */
export function profileRoutes(
  deps: ProfileDeps & ExportDeps & Pick<SessionsDeps, 'devices'>,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  const keyGenerator = async (request: FastifyRequest) => (await signedIn(request)).ownerId
  const exportLimit = { max: EXPORTS_PER_HOUR, timeWindow: '1 hour', keyGenerator }

  return async (app) => {
    app.route({
      ...toRoute(profileOperations.getProfile),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getProfile(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(profileOperations.updateProfile),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeProfile(deps, ownerId, request.body)
      },
    })

    app.route({
      ...toRoute(profileOperations.updateNotifications),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeNotifications(deps, ownerId, request.body)
      },
    })

    app.route({
      ...toRoute(profileOperations.cancelEmailChange),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await cancelEmailChange(deps, ownerId)
        return reply.code(204).send()
      },
    })

    app.route({
      config: { rateLimit: exportLimit },
      ...toRoute(profileOperations.exportAccount),
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

    app.route({
      ...toRoute(profileOperations.deleteAccount),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteAccount(deps, ownerId, request.body.password)
        await clearCookies(deps, request, reply, ownerId)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(profileOperations.confirmEmailChange),
      handler: async (request) => {
        await confirmEmailChange(deps, toCaller(request), request.body.token)
        return { ok: true } as const
      },
    })
  }
}

/** Clears the cookies of a deleted account. A failure is only logged, because the session no longer exists. */
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
