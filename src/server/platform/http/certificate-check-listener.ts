import fastify, { type FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'
import { toHostName } from '#core/addresses/host-name.ts'
import { clientOfRequest } from './client-of-request.ts'
import { isProxied } from './this-machine.ts'

/** The path that the proxy requests, as in `http://address/ask?domain=…`. */
const ASK_PATH = '/ask'

/**
 * Time limit for receiving a request, in milliseconds. A request is one small packet. Without a limit, Fastify sets
 * none, and Node allows a minute for the headers.
 */
const REQUEST_TIMEOUT_MS = 10_000

/** Address ranges that are not on the public internet. The library counts `::1` as unspecified. */
const INSIDE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat', 'unspecified'])

/**
 * Tells a proxy whether it may request a certificate for a name (Caddy's `on_demand_tls { ask … }`): 200 or 404 without
 * a body. Anybody can make the proxy ask about any name, thousands of times a second, so `isServed` must answer from
 * memory. This is a separate server on its own address. It also refuses requests from the public internet and requests
 * that a proxy has forwarded. Source: rule J6.
 */
export function buildCertificateCheckListener(isServed: (host: string) => Promise<boolean>): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: 1_024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    forceCloseConnections: 'idle',
  })
  app.addHook('onRequest', async (request, reply) => {
    if (isProxied(request) || !isInside(clientOfRequest(request).address)) return reply.code(403).send()
  })
  app.get<{ Querystring: { domain?: unknown } }>(ASK_PATH, async ({ query: { domain } }, reply) => {
    const host = typeof domain === 'string' ? toHostName(domain) : null
    const isKnown = host !== null && (await isServed(host))
    return reply.code(isKnown ? 200 : 404).send()
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send())
  // Before the database has been reached, the answer is unknown; with a 503 the proxy may retry.
  app.setErrorHandler((_error, _request, reply) => reply.code(503).send())
  return app
}

function isInside(address: string): boolean {
  return ipaddr.isValid(address) && INSIDE.has(ipaddr.parse(address).range())
}
