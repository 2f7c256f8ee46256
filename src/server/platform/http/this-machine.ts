import type { FastifyRequest } from 'fastify'

type Asked = Pick<FastifyRequest, 'headers'> & { readonly raw: { readonly httpVersion: string } }

/** The Host header of a request that was made by a name of this machine. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The headers that proxies add, and browsers do not. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

/** A page of another site can reach this machine by its own name, which then is in the Host header (DNS rebinding). */
export function hasLoopbackHost({ headers }: Asked): boolean {
  return LOOPBACK_HOST.test(headers.host ?? '')
}

/**
 * Whether a proxy passes on somebody else's request. A proxy on this machine may say that its host is `localhost`, as
 * nginx does by default. It then names no client, and speaks HTTP 1.0, which browsers have not spoken for decades.
 */
export function isProxied({ headers, raw }: Asked): boolean {
  return raw.httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined)
}
