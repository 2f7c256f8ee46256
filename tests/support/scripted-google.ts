import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildGoogleProvider, type GoogleProvider } from '#server/integrations/google/adapter.ts'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'
import { makeAccess } from './google-stand-in.ts'

export type ScriptedGoogle = {
  readonly url: string
  readonly provider: GoogleProvider
  /** With a token that is valid for an hour. */
  readonly access: CalendarAccess & { readonly saved: string[] }
  /** Every request so far, without the address of the server. */
  readonly asked: URL[]
  readonly stop: () => Promise<void>
}

export type Scripted =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void)

const NOW = Date.parse('2027-01-04T08:00:00Z')

/** The adapter, and a server that answers for Google with what a test says: what its stand-in would never send. */
export async function startScriptedGoogle(
  script: (asked: URL, request: IncomingMessage) => Scripted,
  { timeoutMs = 2_000 } = {},
): Promise<ScriptedGoogle> {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://google.example')
    asked.push(url)
    const answer = script(url, request)
    if (typeof answer === 'function') return answer(response)
    const { status = 200, headers = {}, body } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    return response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an address object, never a pipe name.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    provider: buildGoogleProvider({
      clientId: 'id',
      clientSecret: 'secret',
      sandboxUrl: url,
      timeoutMs,
      now: () => NOW,
    }),
    access: makeAccess(
      JSON.stringify({
        accessToken: 'ya29.first',
        expiresAtMs: NOW + 3_600_000,
        refreshToken: '1//lasting',
        grantedScopes: [],
      }),
    ),
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
