import { z } from 'zod'
import { buildOAuthClient } from '#server/integrations/oauth/oauth-client.ts'
import { writeTokens } from '#server/integrations/oauth/oauth-tokens.ts'
import { sandboxPageOf } from '#server/integrations/oauth/sandbox-page.ts'
import { buildTokenStore } from '#server/integrations/oauth/token-store.ts'
import {
  type CalendarAccess,
  CalendarProviderError,
  type FullCalendarProvider,
} from '#server/ports/external-calendar.ts'
import { buildConsentUrl } from './consent-url.ts'
import { buildGoogleClient } from './google-client.ts'
import { isGranted, READ_SCOPES, WRITE_SCOPE } from './google-scopes.ts'
import { type GoogleSettings, toOAuthSettings } from './google-settings.ts'
import { buildPushChannels } from './push-channels.ts'
import { listCalendars } from './read-calendars.ts'
import { readBusyTimes, readChanges } from './read-events.ts'
import { buildEventWriter } from './write-events.ts'

/** Source: https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload */
const identity = z.object({ sub: z.string().min(1).max(255), email: z.string().min(1).max(320) })

/** Google Calendar adapter. */
export function buildGoogleProvider(settings: GoogleSettings): FullCalendarProvider {
  const oauth = buildOAuthClient(toOAuthSettings(settings))
  const keeper = buildTokenStore(settings.now, async () => oauth)
  const client = buildGoogleClient(settings, keeper)
  const mayWrite = (access: CalendarAccess) =>
    isGranted(keeper.currentTokens(access).grantedScopes, WRITE_SCOPE)

  return {
    ...sandboxPageOf(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      completeAuthorization: async (request) => {
        const { tokens, claims } = await oauth.exchangeCode(request)
        const { sub, email } = readIdentity(claims)
        // An owner who unticks writing can still be read; without these scopes nothing works.
        if (!READ_SCOPES.every((scope) => isGranted(tokens.grantedScopes, scope))) {
          throw new CalendarProviderError(
            'forbidden',
            'Meridian may not see when you are busy. Please connect again and leave every box ticked.',
          )
        }
        return {
          accountId: sub,
          accountName: email,
          credentials: writeTokens(tokens),
          grantedScopes: tokens.grantedScopes,
        }
      },
      allowsWriting: (grantedScopes) => isGranted(grantedScopes, WRITE_SCOPE),
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
