import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ScriptedResponse =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void)

export type ScriptedServer = {
  readonly url: string
  /** All requests so far, without the server's URL. */
  readonly asked: URL[]
  readonly stop: () => Promise<void>
}

/** Starts a server that sends scripted responses in a provider's place, such as ones that the sandbox never sends. */
export async function startScriptedServer(
  script: (asked: URL, request: IncomingMessage) => ScriptedResponse,
): Promise<ScriptedServer> {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://provider.example')
    asked.push(url)
    const answer = script(url, request)
    if (typeof answer === 'function') return answer(response)
    const { status = 200, headers = {}, body } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    return response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
