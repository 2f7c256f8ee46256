import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { toProblem } from './error-handler.ts'
import { ProblemError } from './problem-error.ts'

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** Matches a host name or an IP address, with or without a port. */
const HOST = /^[^\s/?#@\\]+$/

/** Refuses malformed requests with a problem response where Node would accept them or send an empty response. */
export function refuseMalformedRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // Refuse methods such as `TRACE` and `PROPFIND`, which Node parses but no route handles.
    if (!METHODS.has(request.method)) throw new ProblemError('request.method_unknown')
    if (!hasOneHost(request)) throw new ProblemError('request.invalid')
    const { expect = '100-continue' } = request.headers
    if (expect.toLowerCase() !== '100-continue') throw new ProblemError('request.expectation_unknown')
  })
  // Without these listeners Node sends an empty 417, or closes the connection.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuseConnection(socket, 'request.method_unknown'))
}

/**
 * True when a request has exactly one Host header. With two, a proxy and this server could each use a different one.
 * Source: RFC 9112 §3.2.
 */
function hasOneHost({ raw, headers }: FastifyRequest): boolean {
  const count = countHosts(raw)
  if (count === 0) return raw.httpVersion === '1.0'
  return count === 1 && HOST.test(headers.host ?? '')
}

/** Counts the Host headers of a request. Node's `headers` contains only the first one. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  // In `rawHeaders`, names and values alternate.
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host')
    .length
}

/** Matches a target in absolute form, as clients send it to a proxy: `http://book.example/api/…`. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/**
 * Returns the path and query of a request. The host of an absolute target overrides the Host header, which is replaced
 * with it. Source: RFC 9112 §3.2.2.
 */
export function readRequestTarget(request: IncomingMessage): string {
  const { url = '/' } = request
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host === undefined) return toReadable(url)
  request.headers.host = host
  return toReadable(rest.startsWith('/') ? rest : `/${rest}`)
}

/**
 * Makes every path segment decodable. Escapes the percent signs of an undecodable segment: it matches no route and gets
 * the usual 404 of the API or the pages.
 */
function toReadable(address: string): string {
  const [path = '', ...query] = address.split('?')
  return [path.split('/').map(toReadablePart).join('/'), ...query].join('?')
}

function toReadablePart(part: string): string {
  try {
    decodeURIComponent(part)
    return part
  } catch {
    return part.replaceAll('%', '%25')
  }
}

/** Maximum nesting of arrays and objects; bodies of the API have at most five levels. */
const MAX_DEPTH = 32

const LEVELS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/** Accepts JSON bodies only, up to a nesting limit, so that the work on a body is bounded. Source: rule X5. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isDeeperThan(body, MAX_DEPTH)) done(new ProblemError('request.invalid'))
    else parse(request, body, done)
  })
}

function isDeeperThan(json: string, max: number): boolean {
  let depth = 0
  let isText = false
  for (let i = 0; i < json.length; i += 1) {
    const character = json.charAt(i)
    if (character === '"') isText = !isText
    // Skip an escaped character: `\"` does not end the string.
    else if (isText && character === '\\') i += 1
    else if (!isText) depth += LEVELS[character] ?? 0
    if (depth > max) return true
  }
  return false
}

/** Problem codes by Node's connection errors. Any other error means that the bytes were not HTTP. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_INVALID_METHOD: 'request.method_unknown',
  HPE_HEADER_OVERFLOW: 'request.too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
}

/** Responds to bytes that could not be parsed as a request, and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  refuseConnection(socket, CODES[error.code ?? ''] ?? 'request.invalid', error)
}

/** Writes a raw problem response when there is no request object, then closes the connection. */
function refuseConnection(socket: Duplex, code: ProblemCode, cause?: Error): void {
  const problem = toProblem(code)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} Refused`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(cause)
}
