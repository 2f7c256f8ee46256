import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseConnection } from './client-error.ts'
import { ProblemError } from './problem-error.ts'

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** A host name or an address, with or without a port. */
const HOST = /^[^\s/?#@\\]+$/

/** Refuses malformed requests with a problem response where Node would accept them or send an empty response. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // Methods such as `TRACE` and `PROPFIND`, which Node parses but no route handles.
    if (!METHODS.has(request.method)) throw new ProblemError('request.method_unknown')
    if (!hasOneHost(request)) throw new ProblemError('request.invalid')
    const { expect = '100-continue' } = request.headers
    if (expect.toLowerCase() !== '100-continue') throw new ProblemError('request.expectation_unknown')
  })
  // Without these listeners Node sends an empty 417, or closes the connection.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuseConnection(socket, 'request.method_unknown'))
}

/** With two Host headers, a proxy and this server could each pick a different one. Source: RFC 9112 §3.2. */
function hasOneHost({ raw, headers }: FastifyRequest): boolean {
  const count = countHosts(raw)
  if (count === 0) return raw.httpVersion === '1.0'
  return count === 1 && HOST.test(headers.host ?? '')
}

/** `headers` contains only the first of several Host headers. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  // Names and values alternate.
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host')
    .length
}
