import type { IncomingMessage } from 'node:http'
import { buildMicrosoftProvider } from '#server/integrations/microsoft/adapter.ts'
import type { CalendarAccess, WritableCalendarProvider } from '#server/ports/external-calendar.ts'
import { makeCalendarAccess } from './calendar-access.ts'
import { type ScriptedResponse, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

export type ScriptedGraph = ScriptedServer & {
  readonly provider: WritableCalendarProvider
  /** Access with a token that is valid for an hour. */
  readonly access: CalendarAccess & { readonly saved: string[] }
}

const NOW = Date.parse('2027-01-04T08:00:00Z')

/** Starts the Microsoft adapter against a server that sends scripted responses. */
export async function startScriptedGraph(
  script: (asked: URL, request: IncomingMessage) => ScriptedResponse,
  { timeoutMs = 20_000 } = {},
): Promise<ScriptedGraph> {
  const server = await startScriptedServer(script)
  const keys = { clientId: 'id', clientSecret: 'secret', sandboxUrl: server.url }
  const tokens = {
    accessToken: 'access',
    expiresAtMs: NOW + 3_600_000,
    refreshToken: 'refresh',
    grantedScopes: [],
  }
  return {
    ...server,
    provider: buildMicrosoftProvider({ ...keys, timeoutMs, now: () => NOW }),
    access: makeCalendarAccess(JSON.stringify(tokens)),
  }
}
