import type { calendar_v3 } from '@googleapis/calendar'
import { z } from 'zod'
import { DAY_MS } from '#core/shared/duration.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { buildOAuthClient } from '#server/integrations/oauth/oauth-client.ts'
import { findSandboxPage } from '#server/integrations/oauth/oauth-settings.ts'
import { serialiseTokens } from '#server/integrations/oauth/oauth-tokens.ts'
import { buildTokenStore } from '#server/integrations/oauth/token-store.ts'
import type { Clock } from '#server/platform/clock.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ListedCalendar,
  type WritableCalendarProvider,
} from '#server/ports/external-calendar.ts'
import { buildGoogleClient, type GoogleClient } from './google-client.ts'
import { buildConsentUrl, isScopeGranted, READ_SCOPES, WRITE_SCOPE } from './google-scopes.ts'
import { type GoogleSettings, toOAuthSettings } from './google-settings.ts'
import { readBusyTimes, readChanges } from './read-events.ts'
import { readPages } from './read-pages.ts'
import { buildEventWriter } from './write-events.ts'

/** Source: https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload */
const identity = z.object({ sub: z.string().min(1).max(255), email: z.string().min(1).max(320) })

/** Google Calendar adapter. */
export function buildGoogleProvider(settings: GoogleSettings): WritableCalendarProvider {
  const oauth = buildOAuthClient(toOAuthSettings(settings))
  const keeper = buildTokenStore(settings.now, async () => oauth)
  const client = buildGoogleClient(settings, keeper)
  const mayWrite = (access: CalendarAccess) =>
    isScopeGranted(keeper.currentTokens(access).grantedScopes, WRITE_SCOPE)

  return {
    ...findSandboxPage(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      completeAuthorization: async (request) => {
        const { tokens, claims } = await oauth.exchangeCode(request)
        const { sub, email } = readIdentity(claims)
        // An owner can untick the write permission and still connect a calendar for reading. Without the read scopes
        // nothing works, so the connection is refused.
        if (!READ_SCOPES.every((scope) => isScopeGranted(tokens.grantedScopes, scope))) {
          throw new CalendarProviderError(
            'forbidden',
            'Meridian may not see when you are busy. Please connect again and leave every box ticked.',
          )
        }
        return {
          accountId: sub,
          accountName: email,
          credentials: serialiseTokens(tokens),
          grantedScopes: tokens.grantedScopes,
        }
      },
      allowsWriting: (grantedScopes) => isScopeGranted(grantedScopes, WRITE_SCOPE),
    },
    connect: null,
    disconnect: (access) => oauth.revoke(keeper.currentTokens(access)),
    listCalendars: (access) => listCalendars(client, access, mayWrite(access)),
    readChanges: (access, request) => readChanges(client, access, request),
    readBusyTimes: (access, request) => readBusyTimes(client, access, request),
    events: buildEventWriter(client),
    push: buildPushChannels(client, settings.now),
  }
}

/** @throws CalendarProviderError `refused` when Google did not identify the account */
function readIdentity(claims: unknown): z.infer<typeof identity> {
  const { data } = identity.safeParse(claims)
  if (data === undefined) throw new CalendarProviderError('refused', 'Google did not name the account.')
  return data
}

/** Assumed lifetime of a push channel for which Google states no expiry. */
const DEFAULT_LIFETIME_MS = 7 * DAY_MS

/**
 * Push notifications. They have no body and only say that the calendar has changed. Google sends them to https URLs
 * with a valid certificate only. Source: https://developers.google.com/workspace/calendar/api/guides/push
 */
function buildPushChannels(client: GoogleClient, now: Clock): NonNullable<CalendarProvider['push']> {
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

/** Calendars per page; Google's maximum. */
const PAGE_SIZE = 250

/** Lists the account's calendars. `mayWrite` is true when the granted scopes allow writing events. */
async function listCalendars(
  client: GoogleClient,
  access: CalendarAccess,
  mayWrite: boolean,
): Promise<ListedCalendar[]> {
  const pages = readPages((pageToken) =>
    client.call(access, (google, options) =>
      google.calendarList.list({ maxResults: PAGE_SIZE, ...(pageToken && { pageToken }) }, options),
    ),
  )
  const calendars: ListedCalendar[] = []
  for await (const { items = [] } of pages) {
    for (const entry of items) {
      if (entry.id && !entry.deleted) calendars.push(toCalendar(entry, entry.id, mayWrite))
    }
  }
  return calendars
}

function toCalendar(
  entry: calendar_v3.Schema$CalendarListEntry,
  externalId: string,
  mayWrite: boolean,
): ListedCalendar {
  const { summaryOverride, summary, backgroundColor, timeZone, primary, accessRole } = entry
  return {
    externalId,
    name: summaryOverride || summary || externalId,
    color: /^#[0-9a-f]{6}$/i.test(backgroundColor ?? '') ? (backgroundColor ?? null) : null,
    timeZone: timeZone && isTimeZone(timeZone) ? timeZone : null,
    isPrimary: primary === true,
    // The write scope covers only calendars that the account owns, not calendars that others share with it for writing.
    canWrite: mayWrite && accessRole === 'owner',
  }
}
