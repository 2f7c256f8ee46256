import { z } from 'zod'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import type { GraphClient } from './graph-client.ts'
import { toCalendarPath } from './graph-client.ts'
import { buildGraphError, hasErrorKind } from './graph-errors.ts'

/**
 * Lifetime of a subscription. Microsoft allows at most 10,080 minutes for events. Source:
 * https://learn.microsoft.com/graph/api/resources/subscription
 */
const LIFETIME_MS = 10_000 * MINUTE_MS

/** Source: https://learn.microsoft.com/graph/api/subscription-post-subscriptions */
const subscription = z.object({ id: z.string().min(1), expirationDateTime: z.string() })

/**
 * Push subscriptions. Microsoft first sends a validation request to our URL, and only supports https. It also notifies
 * the same URL when a subscription expires, has been removed, or has missed notifications. Subscriptions are not
 * extended: a new one is created before the old one expires (rule G16).
 */
export function buildPushSubscriptions(
  client: GraphClient,
  now: Clock,
): NonNullable<CalendarProvider['push']> {
  return {
    subscribe: async (access, { externalId, secret, notifyUrl }) => {
      const endsAtMs = now() + LIFETIME_MS
      const made = await client.call(access, {
        method: 'POST',
        at: '/subscriptions',
        body: {
          changeType: 'created,updated,deleted',
          notificationUrl: notifyUrl,
          lifecycleNotificationUrl: notifyUrl,
          resource: `${toCalendarPath(externalId)}/events`,
          expirationDateTime: new Date(endsAtMs).toISOString(),
          clientState: secret,
        },
      })
      const { data } = subscription.safeParse(made)
      if (data === undefined) throw buildGraphError('unavailable', 'a subscription without an id')
      const expiresAtMs = Date.parse(data.expirationDateTime)
      return {
        id: data.id,
        resourceId: null,
        expiresAtMs: Number.isNaN(expiresAtMs) ? endsAtMs : expiresAtMs,
      }
    },
    unsubscribe: async (access, { id }) => {
      try {
        await client.call(access, { method: 'DELETE', at: `/subscriptions/${encodeURIComponent(id)}` })
      } catch (error) {
        if (!hasErrorKind(error, 'gone')) throw error
      }
    },
  }
}
