import type { FastifyRequest } from 'fastify'

type Asked = Pick<FastifyRequest, 'headers'> & { readonly raw: { readonly httpVersion: string } }

/** The Host header of a request that was made by a name of this machine. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** What proxies add, and no browser does. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

/** A page of another site reaches this machine by its own name, which then stands in the Host header (DNS rebinding). */
export function isAskedByOwnName({ headers }: Asked): boolean {
  return LOOPBACK_HOST.test(headers.host ?? '')
}

/**
 * Whether a proxy passes on what somebody else asks. One on this machine may say that its host is `localhost`, as nginx
 * does unless told otherwise. It then says nothing of whom it asks for, and speaks HTTP 1.0, which browsers have not
 * spoken for decades.
 */
export function isProxied({ headers, raw }: Asked): boolean {
  return raw.httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined)
}
