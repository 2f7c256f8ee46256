import type { FastifyRequest } from 'fastify'

type Asked = Pick<FastifyRequest, 'headers'> & { readonly raw: { readonly httpVersion: string } }

/** Matches the Host header of a request to a loopback name. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Headers that proxies add and browsers never send. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
]

/**
 * True when the request addresses this machine by a loopback name. With DNS rebinding, a page of another site can reach
 * this machine, but the Host header then has that site's name.
 */
export function hasLoopbackHost({ headers }: Asked): boolean {
  return LOOPBACK_HOST.test(headers.host ?? '')
}

/**
 * True when a proxy forwards the request. A proxy on this machine may send `localhost` as the host, as nginx does by
 * default. Such a proxy adds no client headers, but uses HTTP 1.0, which browsers no longer use.
 */
export function isProxied({ headers, raw }: Asked): boolean {
  return raw.httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined)
}
