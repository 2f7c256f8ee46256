import autocannon from 'autocannon'
import { readJsonInput } from './child-process.ts'

/** One request. A request with a body is a POST, and may have an idempotency key. */
export type LoadRequest = { readonly path: string; readonly body?: object; readonly key?: string }

export type FullLoad = {
  readonly port: number
  /** The requests are sent in this order over any free connection, and then again from the first. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

export type FullLoadResult = {
  readonly perSecond: number
  readonly answered: number
  readonly refused: number
}

/** Sends requests over several connections as fast as responses arrive, in a separate process. */
const { port, requests, connections, seconds } = await readJsonInput<FullLoad>()
let sent = 0
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  requests: [
    { setupRequest: (request) => ({ ...request, ...toRequest(requests[sent++ % requests.length]) }) },
  ],
})
const answered = result['2xx']
const refused = result.non2xx + result.errors + result.timeouts
console.log(JSON.stringify({ perSecond: answered / result.duration, answered, refused }))

function toRequest({ path, body, key }: LoadRequest = { path: '/' }) {
  if (body === undefined) return { method: 'GET' as const, path }
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  return { method: 'POST' as const, path, headers, body: JSON.stringify(body) }
}
