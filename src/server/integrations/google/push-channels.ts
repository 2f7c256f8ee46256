import { DAY_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type CalendarProvider, CalendarProviderError } from '#server/ports/external-calendar.ts'
import type { GoogleClient } from './google-client.ts'

/** Lifetime of a channel for which Google states no expiry. */
const DEFAULT_LIFETIME_MS = 7 * DAY_MS

/**
 * Push notifications. They have no body and only say that something changed. Google sends them to https URLs with a
 * valid certificate only. Source: https://developers.google.com/workspace/calendar/api/guides/push
 */
export function buildPushChannels(client: GoogleClient, now: Clock): NonNullable<CalendarProvider['push']> {
  return {
    subscribe: async (access, { externalId, channelId, secret, notifyUrl }) => {
      const requestBody = { id: channelId, type: 'web_hook', address: notifyUrl, token: secret }
      const channel = await client.call(access, (google, options) =>
        google.events.watch({ calendarId: externalId, requestBody }, options),
      )
      return {
        id: channelId,
        resourceId: channel.resourceId ?? null,
        expiresAtMs: Number(channel.expiration) || now() + DEFAULT_LIFETIME_MS,
      }
    },
    unsubscribe: async (access, { id, resourceId }) => {
      try {
        await client.call(access, (google, options) =>
          google.channels.stop({ requestBody: { id, resourceId } }, options),
        )
      } catch (error) {
        if (!(error instanceof CalendarProviderError && error.kind === 'gone')) throw error
      }
    },
  }
}
