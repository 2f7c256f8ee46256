import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { externalCalendarOperations } from '#contract/external-calendars/external-calendar-operations.ts'
import { microsoftNotifications } from '#contract/external-calendars/external-calendars.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import { type Client, clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type ChannelNotification, receiveChannelNotifications } from './channel-use-cases.ts'
import type { ExternalCalendarsDeps } from './deps.ts'

/** Maximum size of a request body, in bytes. Microsoft sends notifications in batches. */
const BODY_LIMIT = 256 * 1024

/** Routes for the webhooks of calendar providers. A notification says only that something has changed. */
export function calendarWebhookRoutes(
  deps: Pick<ExternalCalendarsDeps, 'db' | 'now' | 'jobs' | 'budgets'>,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )

    app.route({
      ...toRoute(externalCalendarOperations.receiveGoogleCalendarNotification),
      handler: async (request, reply) => {
        const header = (name: string) => String(request.headers[name] ?? '')
        const state = header('x-goog-resource-state')
        await receive(deps, clientOfRequest(request), 'google', [
          {
            channelId: header('x-goog-channel-id'),
            secret: header('x-goog-channel-token'),
            // `sync` confirms that the channel is open; `exists` and `not_exists` report a change.
            kind: state === 'sync' ? 'opened' : 'changed',
          },
        ])
        return reply.code(204).send(undefined)
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.receiveMicrosoftCalendarNotification),
      handler: async (request, reply) => {
        const { validationToken } = request.query
        // Microsoft verifies the URL with a token, which the response must repeat.
        if (validationToken !== undefined) {
          return reply.code(200).type('text/plain; charset=utf-8').send(validationToken)
        }
        await receive(deps, clientOfRequest(request), 'microsoft', readMicrosoft(request.body))
        return reply.code(202).send(undefined)
      },
    })
  }
}

/**
 * Handles a batch of notifications. A client that sends only notifications of unknown channels is refused and rate
 * limited.
 * @throws ProblemError `external_calendar.channel_unknown`, `request.too_many`
 */
async function receive(
  deps: Pick<ExternalCalendarsDeps, 'db' | 'now' | 'jobs' | 'budgets'>,
  client: Client,
  provider: 'google' | 'microsoft',
  notifications: readonly ChannelNotification[],
): Promise<void> {
  if (await receiveChannelNotifications(deps, provider, notifications)) return
  refuseIfOverBudget(
    await spendClientBudget(deps.budgets, { budget: 'calendar_notification_strays', client }),
  )
  throw new ProblemError('external_calendar.channel_unknown')
}

const LIFECYCLE = {
  reauthorizationRequired: 'ends',
  subscriptionRemoved: 'ended',
  missed: 'changed',
} as const satisfies Record<string, ChannelNotification['kind']>

/** Parses Microsoft's notifications. Returns an empty list when the body is malformed. */
function readMicrosoft(body: unknown): ChannelNotification[] {
  const parsed = microsoftNotifications.safeParse(parseJson(body))
  if (!parsed.success) return []
  return parsed.data.value.map(({ subscriptionId, clientState, lifecycleEvent }) => ({
    channelId: subscriptionId,
    secret: clientState,
    kind: lifecycleEvent === undefined ? 'changed' : LIFECYCLE[lifecycleEvent],
  }))
}

function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return null
  }
}
