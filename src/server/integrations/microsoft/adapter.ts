import { z } from 'zod'
import { buildOAuthClient } from '#server/integrations/oauth/oauth-client.ts'
import { findSandboxPage } from '#server/integrations/oauth/oauth-settings.ts'
import { serialiseTokens } from '#server/integrations/oauth/oauth-tokens.ts'
import { buildTokenStore } from '#server/integrations/oauth/token-store.ts'
import {
  type BusyTime,
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type WritableCalendarProvider,
} from '#server/ports/external-calendar.ts'
import { buildGraphClient, type GraphClient, toCalendarPath, toCalendarViewQuery } from './graph-client.ts'
import { EVENT_QUERY, parseEvent } from './graph-event.ts'
import { mapInBatches } from './map-in-batches.ts'
import { buildConsentUrl, canReadCalendars, isScopeGranted, WRITE_SCOPE } from './microsoft-scopes.ts'
import { type MicrosoftSettings, toOAuthSettings } from './microsoft-settings.ts'
import { buildPushSubscriptions } from './push-subscriptions.ts'
import { listCalendars } from './read-calendars.ts'
import { readChanges } from './read-changes.ts'
import { readPages } from './read-pages.ts'
import { toExternalEvent } from './to-external-event.ts'
import { buildEventWriter } from './write-events.ts'

/** Source: https://learn.microsoft.com/graph/api/user-get */
const identity = z.object({
  id: z.string().min(1).max(255),
  mail: z.string().max(320).nullish(),
  userPrincipalName: z.string().max(320).nullish(),
})

/** Microsoft 365 adapter, for accounts of organisations and personal accounts. */
export function buildMicrosoftProvider(settings: MicrosoftSettings): WritableCalendarProvider {
  const oauth = buildOAuthClient(toOAuthSettings(settings))
  const keeper = buildTokenStore(settings.now, async () => oauth)
  const client = buildGraphClient(settings, keeper)
  const mayWrite = (access: CalendarAccess) =>
    isScopeGranted(keeper.currentTokens(access).grantedScopes, WRITE_SCOPE)

  return {
    ...findSandboxPage(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      completeAuthorization: async (request) => {
        const { tokens } = await oauth.exchangeCode(request)
        if (!canReadCalendars(tokens.grantedScopes)) {
          throw new CalendarProviderError(
            'forbidden',
            'Meridian may not see when you are busy. Please connect again and accept what it asks for.',
          )
        }
        const credentials = serialiseTokens(tokens)
        const access = { credentials, saveCredentials: async (renewed: string) => renewed }
        const { id, mail, userPrincipalName } = readIdentity(await client.call(access, { at: '/me' }))
        return {
          accountId: id,
          accountName: mail || userPrincipalName || id,
          credentials,
          grantedScopes: tokens.grantedScopes,
        }
      },
      allowsWriting: (grantedScopes) => isScopeGranted(grantedScopes, WRITE_SCOPE),
    },
    connect: null,
    // Microsoft has no endpoint for revoking access: the owner removes the app in their Microsoft account. We delete
    // our copy of the tokens.
    disconnect: async () => {},
    listCalendars: (access) => listCalendars(client, access, mayWrite(access)),
    readChanges: (access, request) => readChanges(client, access, request),
    readBusyTimes: (access, request) => readBusyTimes(client, access, request),
    events: buildEventWriter(client),
    push: buildPushSubscriptions(client, settings.now),
  }
}

/** @throws CalendarProviderError `refused` when Microsoft did not identify the account */
function readIdentity(answer: unknown): z.infer<typeof identity> {
  const { data } = identity.safeParse(answer)
  if (data === undefined) throw new CalendarProviderError('refused', 'Microsoft did not name the account.')
  return data
}

const PAGE_SIZE = '200'

/**
 * Returns current busy times. Graph's free/busy query (getSchedule) does not support personal accounts, so this fetches
 * each calendar's view, which contains every occurrence of a series in full.
 */
async function readBusyTimes(
  client: GraphClient,
  access: CalendarAccess,
  { calendars, during, signal }: Parameters<CalendarProvider['readBusyTimes']>[1],
): ReturnType<CalendarProvider['readBusyTimes']> {
  const query = { ...toCalendarViewQuery(during), ...EVENT_QUERY, $top: PAGE_SIZE }
  // If one request fails, the whole check fails: a calendar that cannot be read must not look empty.
  const busy = await mapInBatches(calendars, async ({ externalId, timeZone }) => {
    const at = `${toCalendarPath(externalId)}/calendarView`
    const pages = readPages((nextLink) =>
      client.call(access, { ...(nextLink === undefined ? { at, query } : { at: nextLink }), signal }),
    )
    const times: BusyTime[] = []
    for await (const { items } of pages) {
      for (const event of items.flatMap((sent) => parseEvent(sent) ?? [])) {
        const { appointmentId, occurrences } = toExternalEvent(event, { timeZone, window: during })
        // Use the series' id, because a sync stores occurrences under their series.
        const eventId = event.seriesMasterId ?? event.id
        const said = { externalId, eventId, appointmentId }
        times.push(...occurrences.map(({ startMs, endMs }) => ({ ...said, startMs, endMs })))
      }
    }
    return times
  })
  return busy.flat()
}
