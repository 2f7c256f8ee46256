import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { feedOperations } from '#contract/external-calendars/feed-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type CalendarFeedsDeps,
  createCalendarFeed,
  getCalendarFeed,
  readCalendarFeed,
  revokeCalendarFeed,
} from './use-cases.ts'

/**
 * Rate limit of the feed per client. Calendar programs poll every few minutes, and several calendars of a practice
 * share one network.
 */
const RATE_LIMIT = { max: 60, timeWindow: '1 minute' }

/** Routes for a calendar's secret feed URL, and for reading the feed. */
export function calendarFeedRoutes(deps: CalendarFeedsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(feedOperations.getCalendarFeed),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCalendarFeed(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(feedOperations.createCalendarFeed),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return createCalendarFeed(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(feedOperations.revokeCalendarFeed),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return revokeCalendarFeed(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(feedOperations.readCalendarFeed),
      config: { rateLimit: RATE_LIMIT },
      handler: async (request, reply) => {
        const knownEtag = request.headers['if-none-match'] ?? null
        const { etag, content } = await readCalendarFeed(deps, { token: request.params.token, knownEtag })
        // The client may cache the file but must revalidate it each time.
        reply.headers({ etag, 'cache-control': 'private, no-cache' })
        if (content === null) return reply.code(304).send()
        return reply.header('content-type', 'text/calendar; charset=utf-8').send(content)
      },
    })
  }
}
