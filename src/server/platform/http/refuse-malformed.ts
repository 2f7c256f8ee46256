import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseConnection } from './client-error.ts'
import { ProblemError } from './problem-error.ts'

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** A name or an address, with or without a port. */
const HOST = /^[^\s/?#@\\]+$/

/** Refuses, as problems, what Node would let through or would answer without a word. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // `TRACE`, `PROPFIND` and similar methods, which Node parses but nothing here answers.
    if (!METHODS.has(request.method)) throw new ProblemError('request.method_unknown')
    if (!hasOneHost(request)) throw new ProblemError('request.invalid')
    const { expect = '100-continue' } = request.headers
    if (expect.toLowerCase() !== '100-continue') throw new ProblemError('request.expectation_unknown')
  })
  // Without a listener Node answers these two itself: with an empty 417, and by closing the connection.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuseConnection(socket, 'request.method_unknown'))
}

/** Two servers in a row could each believe another one of the hosts. Source: RFC 9112 §3.2. */
function hasOneHost({ raw, headers }: FastifyRequest): boolean {
  const count = countHosts(raw)
  if (count === 0) return raw.httpVersion === '1.0'
  return count === 1 && HOST.test(headers.host ?? '')
}

/** Node keeps the first of several in `headers` and does not mention the others. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  // Names and values take turns.
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host')
    .length
}
