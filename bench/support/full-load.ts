import autocannon from 'autocannon'
import { readInput } from './child-process.ts'

/** One request; what is sent has a body, and may have a key under which its client could send it again. */
export type LoadRequest = { readonly path: string; readonly body?: object; readonly key?: string }

export type FullLoad = {
  readonly port: number
  /** Each is sent once in turn, whichever connection is free, and then again from the first. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

export type FullLoadResult = {
  readonly perSecond: number
  readonly answered: number
  readonly refused: number
}

/** Asks as fast as answers come, over a number of connections, in a process of its own. */
const { port, requests, connections, seconds } = await readInput<FullLoad>()
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
