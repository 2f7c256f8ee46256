import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { securityOperations } from '#contract/accounts/security-operations.ts'
import { toCaller } from '#server/platform/auth/caller.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { listOperatorActions } from '#server/records/operator-actions/repository.ts'
import {
  confirmTwoFactor,
  getTwoFactor,
  removeTwoFactor,
  replaceBackupCodes,
  startTwoFactor,
} from './two-factor-use-cases.ts'
import {
  changePassword,
  listOwnSessions,
  type SecurityDeps,
  signOutOtherSessions,
  signOutSession,
} from './use-cases.ts'

/** Routes for login settings: password, sessions, second factor. Source: rule U23. */
export function securityRoutes(deps: SecurityDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(securityOperations.changePassword),
      handler: async (request, reply) => {
        await changePassword(deps, await signedIn(request), request.body)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(securityOperations.listSessions),
      handler: async (request) => ({ sessions: await listOwnSessions(deps, await signedIn(request)) }),
    })

    app.route({
      ...toRoute(securityOperations.listOperatorActions),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { actions: await listOperatorActions(deps.db, ownerId) }
      },
    })

    app.route({
      ...toRoute(securityOperations.signOutSession),
      handler: async (request, reply) => {
        await signOutSession(deps, await signedIn(request), request.params.session_id)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(securityOperations.signOutOtherSessions),
      handler: async (request) => ({
        signed_out: await signOutOtherSessions(deps, await signedIn(request)),
      }),
    })

    app.route({
      ...toRoute(securityOperations.getTwoFactor),
      handler: async (request) => getTwoFactor(deps, await signedIn(request)),
    })

    app.route({
      ...toRoute(securityOperations.startTwoFactor),
      handler: async (request) =>
        startTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.route({
      ...toRoute(securityOperations.confirmTwoFactor),
      handler: async (request) =>
        confirmTwoFactor(deps, toCaller(request), await signedIn(request), request.body.code),
    })

    app.route({
      ...toRoute(securityOperations.removeTwoFactor),
      handler: async (request) =>
        removeTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.route({
      ...toRoute(securityOperations.replaceBackupCodes),
      handler: async (request) => ({
        backup_codes: await replaceBackupCodes(
          deps,
          toCaller(request),
          await signedIn(request),
          request.body,
        ),
      }),
    })
  }
}
