import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The sender of a request, as keys for rate limits. The keys are never shown. */
export type Client = {
  /** An IPv4 address, or the /64 of an IPv6 address: even one household or machine has a whole /64. */
  readonly address: string
  /**
   * The /48 of an IPv6 address, which contains 65,536 /64s and often belongs to one customer of an internet provider.
   * Null for IPv4, where providers assign single addresses.
   */
  readonly network: string | null
}

/**
 * Limit of a whole /48 as a multiple of one client's limit. It is more than one, because the people of a company or
 * university share a /48. It is small, because behind IPv4 the same people would share one address and one limit.
 * Source: rule X6.
 */
export const NETWORK_LIMIT_FACTOR = 3

/** The client of all requests without a readable address. They share one limit, so sending garbage gains nothing. */
const UNKNOWN: Client = { address: 'unknown', network: null }

/** The range in which a NAT64 translator writes IPv4 addresses as IPv6. Source: RFC 6052 §2.1. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Returns the client to whose rate limits a request counts. Every per-client limit takes its keys from here, so that
 * another notation of the same address does not create a second client. `request.ip` is the address seen by the
 * outermost trusted proxy; some proxies append the port. Source: rule X6.
 */
export function clientOfRequest(request: Pick<FastifyRequest, 'ip'>): Client {
  return parseClient(request.ip)
}

/** Parses an address that can have a port, brackets or a zone, as in `[fe80::1%eth0]:443`. */
export function parseClient(written: string | undefined): Client {
  const text = withoutPort((written ?? '').trim())
  if (isIP(text) === 0) return UNKNOWN
  const parsed = ipaddr.process(text)
  if (parsed instanceof ipaddr.IPv4) return { address: parsed.toString(), network: null }
  if (parsed.match(TRANSLATED)) {
    return { address: new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString(), network: null }
  }
  const prefix = (bits: number) => ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(text)}/${bits}`)
  return { address: prefix(64).toString(), network: `${prefix(48)}/48` }
}

/**
 * Removes the port from `[v6]:port` and `v4:port`, and the brackets from `[v6]`. A port after IPv6 without brackets
 * would be ambiguous.
 */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](:\d*)?$/.exec(text)?.[1] ?? /^(.*\d\.\d+):\d*$/.exec(text)?.[1] ?? text
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, '')
}
