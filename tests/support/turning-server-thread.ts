import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { HonestResponses } from './turning-server.ts'

/** The server of `turning-server.ts`. It runs in a separate thread, so that its work does not slow Meridian down. */
const { file, found, listed } = workerData as HonestResponses // passed by turning-server.ts
let attack: string | null = null
parentPort?.on('message', (wanted: string | null) => {
  attack = wanted
  parentPort?.postMessage('turned')
})
const server = createServer((request, answer) => {
  const isDav = request.url?.startsWith('/dav') === true
  const honest = request.method === 'PROPFIND' ? found : listed
  answer.writeHead(isDav ? 207 : 200, { 'content-type': isDav ? 'application/xml' : 'text/calendar' })
  answer.end(attack ?? (isDav ? honest : file))
})
server.listen(0, '127.0.0.1', () => {
  // `address()` returns an object for a TCP server; only a pipe has a string.
  parentPort?.postMessage((server.address() as AddressInfo).port)
})
