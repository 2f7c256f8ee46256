import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { securityOperations } from '#contract/accounts/security-operations.ts'
import { toCaller } from '#server/platform/auth/caller.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
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
export function securityRoutes(deps: SecurityDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(securityOperations.changePassword),
      handler: async (request, reply) => {
        await changePassword(deps, await signedIn(request), request.body)
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(securityOperations.listSessions),
      handler: async (request) => ({ sessions: await listOwnSessions(deps, await signedIn(request)) }),
    })

    app.route({
      ...serve(securityOperations.signOutSession),
      handler: async (request, reply) => {
        await signOutSession(deps, await signedIn(request), request.params.session_id)
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(securityOperations.signOutOtherSessions),
      handler: async (request) => ({
        signed_out: await signOutOtherSessions(deps, await signedIn(request)),
      }),
    })

    app.route({
      ...serve(securityOperations.getTwoFactor),
      handler: async (request) => getTwoFactor(deps, await signedIn(request)),
    })

    app.route({
      ...serve(securityOperations.startTwoFactor),
      handler: async (request) =>
        startTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.route({
      ...serve(securityOperations.confirmTwoFactor),
      handler: async (request) =>
        confirmTwoFactor(deps, toCaller(request), await signedIn(request), request.body.code),
    })

    app.route({
      ...serve(securityOperations.removeTwoFactor),
      handler: async (request) =>
        removeTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.route({
      ...serve(securityOperations.replaceBackupCodes),
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
