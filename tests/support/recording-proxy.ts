import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf } from './webhook-receiver.ts'

export type RecordedExchange = {
  readonly method: string
  /** The path without its query. */
  readonly path: string
  readonly requestBody: string
  readonly status: number
  readonly responseBody: string
}

type RecordingProxy = {
  readonly url: string
  /** All requests with a response so far, in order of the responses. */
  readonly exchanges: readonly RecordedExchange[]
  readonly stop: () => Promise<void>
}

/** Starts a proxy in front of a server that records requests and responses. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const requestBody = (await bytesOf(request)).toString()
    const answer = await fetch(new URL(url, target), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: requestBody === '' ? null : requestBody,
      redirect: 'manual',
    })
    const responseBody = await answer.text()
    const { pathname: path } = new URL(url, target)
    exchanges.push({ method, path, requestBody, status: answer.status, responseBody })
    const location = answer.headers.get('location')
    response.writeHead(answer.status, location === null ? {} : { location }).end(responseBody)
  }

  const server = createServer((request, response) => {
    // If the server behind closes without a response, so does the proxy.
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
