import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { settingChangeOperations } from '#contract/calendars/setting-change-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { getSettingChanges } from './use-cases.ts'

/** Route for the history of a calendar's settings, for its owner. */
export function settingHistoryRoutes(deps: { readonly db: Db }, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(settingChangeOperations.listSettingChanges),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getSettingChanges(deps, ownerId, request.params.id, request.query)
      },
    })
  }
}
