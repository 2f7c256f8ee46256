import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  backupCodesResponse,
  changePasswordBody,
  confirmTwoFactorBody,
  ownSessionsResponse,
  signedOutResponse,
  startTwoFactorBody,
  twoFactorProofBody,
  twoFactorResponse,
  twoFactorSetupResponse,
} from '#contract/security.ts'
import { toCaller } from '#server/platform/auth/caller.ts'
import { ownerRefusals, ownerSecurity, type SignedInGuard } from '#server/platform/http/owner-routes.ts'
import {
  confirmTwoFactor,
  getTwoFactor,
  removeTwoFactor,
  replaceBackupCodes,
  startTwoFactor,
} from './two-factor.ts'
import {
  changePassword,
  listOwnSessions,
  type SecurityDeps,
  signOutOtherSessions,
  signOutSession,
} from './use-cases.ts'

const owners = { tags: ['Security'], security: ownerSecurity }
const refusals = { ...ownerRefusals, 409: problemSchema, 429: problemSchema }
const sessionParams = z.object({ session_id: idOf('account.session_not_found') })

/** How an owner logs in: password, logged-in devices, second factor. Source: rule U23. */
export function securityRoutes(deps: SecurityDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.post('/api/security/password', {
      schema: {
        ...owners,
        operationId: 'changePassword',
        summary: 'Change the password',
        body: changePasswordBody,
        response: { 204: z.undefined(), ...refusals },
      },
      handler: async (request, reply) => {
        await changePassword(deps, await signedIn(request), request.body)
        return reply.code(204).send()
      },
    })

    app.get('/api/security/sessions', {
      schema: {
        ...owners,
        operationId: 'listSessions',
        summary: 'The devices that are logged in, this one first',
        response: { 200: ownSessionsResponse, ...refusals },
      },
      handler: async (request) => ({ sessions: await listOwnSessions(deps, await signedIn(request)) }),
    })

    app.delete('/api/security/sessions/:session_id', {
      schema: {
        ...owners,
        operationId: 'signOutSession',
        summary: 'Sign out one device',
        params: sessionParams,
        response: { 204: z.undefined(), ...refusals },
      },
      handler: async (request, reply) => {
        await signOutSession(deps, await signedIn(request), request.params.session_id)
        return reply.code(204).send()
      },
    })

    app.delete('/api/security/sessions', {
      schema: {
        ...owners,
        operationId: 'signOutOtherSessions',
        summary: 'Sign out all other devices',
        response: { 200: signedOutResponse, ...refusals },
      },
      handler: async (request) => ({
        signed_out: await signOutOtherSessions(deps, await signedIn(request)),
      }),
    })

    app.get('/api/security/two-factor', {
      schema: {
        ...owners,
        operationId: 'getTwoFactor',
        summary: 'Whether two-factor authentication is on',
        response: { 200: twoFactorResponse, ...refusals },
      },
      handler: async (request) => getTwoFactor(deps, await signedIn(request)),
    })

    app.post('/api/security/two-factor', {
      schema: {
        ...owners,
        operationId: 'startTwoFactor',
        summary: 'Make a secret for an authenticator app; it counts once a first code was right',
        body: startTwoFactorBody,
        response: { 200: twoFactorSetupResponse, ...refusals },
      },
      handler: async (request) =>
        startTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.post('/api/security/two-factor/confirmation', {
      schema: {
        ...owners,
        operationId: 'confirmTwoFactor',
        summary: 'Turn two-factor authentication on with a first code of the app',
        body: confirmTwoFactorBody,
        response: { 200: twoFactorResponse, ...refusals },
      },
      handler: async (request) =>
        confirmTwoFactor(deps, toCaller(request), await signedIn(request), request.body.code),
    })

    app.post('/api/security/two-factor/removal', {
      schema: {
        ...owners,
        operationId: 'removeTwoFactor',
        summary: 'Turn two-factor authentication off',
        body: twoFactorProofBody,
        response: { 200: twoFactorResponse, ...refusals },
      },
      handler: async (request) =>
        removeTwoFactor(deps, toCaller(request), await signedIn(request), request.body),
    })

    app.post('/api/security/two-factor/backup-codes', {
      schema: {
        ...owners,
        operationId: 'replaceBackupCodes',
        summary: 'Ten new backup codes; the old ones no longer work',
        body: twoFactorProofBody,
        response: { 200: backupCodesResponse, ...refusals },
      },
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
