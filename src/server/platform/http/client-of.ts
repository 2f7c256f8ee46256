import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The sender of a request, as keys for rate limits. The keys are never shown. */
export type Client = {
  /** An IPv4 address, or the /64 of an IPv6 address: a household or machine has at least a whole /64. */
  readonly address: string
  /**
   * The /48 of an IPv6 address, which contains 65,536 /64s and often belongs to one customer of an internet provider.
   * Null for IPv4, where a single address is the smallest unit assigned to a customer.
   */
  readonly network: string | null
}

/**
 * Limit of a whole /48 as a multiple of one client's limit. More than one, because companies and universities share a
 * /48; small, because behind IPv4 the same people would share one address and one limit. Source: rule X6.
 */
export const NETWORK_SHARE = 3

/** All requests without a readable address count as one client, so garbage gains nothing. */
const UNKNOWN: Client = { address: 'unknown', network: null }

/** IPv4 addresses that a NAT64 translator writes as IPv6. Source: RFC 6052 §2.1. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Returns the client that a request counts for. Every per-client limit takes its keys from here, so that another
 * notation of the same address does not create a second client. `request.ip` is the address seen by the outermost
 * trusted proxy; some proxies append the port. Source: rule X6.
 */
export function clientOf(request: Pick<FastifyRequest, 'ip'>): Client {
  return toClient(request.ip)
}

/** Parses an address that can have a port, brackets or a zone, as in `[fe80::1%eth0]:443`. */
export function toClient(written: string | undefined): Client {
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

/** Handles `[v6]`, `[v6]:port` and `v4:port`; a port after IPv6 without brackets is ambiguous. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](:\d*)?$/.exec(text)?.[1] ?? /^(.*\d\.\d+):\d*$/.exec(text)?.[1] ?? text
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, '')
}
