import type { IncomingMessage } from 'node:http'
import { buildGoogleProvider } from '#server/integrations/google/adapter.ts'
import type { CalendarAccess, WritableCalendarProvider } from '#server/ports/external-calendar.ts'
import { makeCalendarAccess } from './calendar-access.ts'
import { type ScriptedResponse, startScriptedServer } from './scripted-server.ts'

export type ScriptedGoogle = {
  readonly url: string
  readonly provider: WritableCalendarProvider
  /** Access with a token that is valid for an hour. */
  readonly access: CalendarAccess & { readonly saved: string[] }
  /** All requests so far, without the server's URL. */
  readonly asked: URL[]
  readonly stop: () => Promise<void>
}

const NOW = Date.parse('2027-01-04T08:00:00Z')

/** Starts the Google adapter against a server that sends scripted responses, such as ones that the sandbox never sends. */
export async function startScriptedGoogle(
  script: (asked: URL, request: IncomingMessage) => ScriptedResponse,
  { timeoutMs = 20_000 } = {},
): Promise<ScriptedGoogle> {
  const { url, asked, stop } = await startScriptedServer(script)
  return {
    url,
    provider: buildGoogleProvider({
      clientId: 'id',
      clientSecret: 'secret',
      sandboxUrl: url,
      timeoutMs,
      now: () => NOW,
    }),
    access: makeCalendarAccess(
      JSON.stringify({
        accessToken: 'ya29.first',
        expiresAtMs: NOW + 3_600_000,
        refreshToken: '1//lasting',
        grantedScopes: [],
      }),
    ),
    asked,
    stop,
  }
}
