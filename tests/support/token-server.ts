import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf } from './webhook-receiver.ts'

type TokenAnswer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Starts an authorization server that sends these responses in order; null means that it never responds. `asked` lists the
 * submitted forms.
 */
export async function startTokenServer(...answers: (TokenAnswer | null)[]) {
  const asked: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    asked.push(Object.fromEntries(new URLSearchParams((await bytesOf(request)).toString())))
    const answer = answers[asked.length - 1]
    if (!answer) return
    const { status, body, headers = {} } = answer
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
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
