import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** The sender of a request, for limits. Both texts are keys: nobody sees them as an address. */
export type Client = {
  /** An IPv4 address, or the /64 of an IPv6 address: one household or machine has at least a whole /64. */
  readonly address: string
  /**
   * The /48 of an IPv6 address, which has 65,536 /64s and often belongs to one customer of a network provider. Null for
   * IPv4, where an address is the smallest unit that a customer gets.
   */
  readonly network: string | null
}

/**
 * How many times the limit of one client a whole /48 may use. More than one, because a company or a university shares
 * one. Few, because behind IPv4 the same people would share one address and so the limit of one client.
 * Source: rule X6.
 */
export const NETWORK_SHARE = 3

/** Everybody without a readable address counts as one client, so garbage gains nothing. */
const UNKNOWN: Client = { address: 'unknown', network: null }

/** IPv4 addresses that a translator in front writes as IPv6. Source: RFC 6052 §2.1. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Says for whom a request counts. Every limit per client takes its keys from here, so that another way of writing an
 * address does not make a second client. `request.ip` is what the outermost trusted proxy saw; some proxies add the
 * port. Source: rule X6.
 */
export function clientOf(request: Pick<FastifyRequest, 'ip'>): Client {
  return toClient(request.ip)
}

/** The client with this address, which may have a port, brackets or a zone, as in `[fe80::1%eth0]:443`. */
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

/** `[v6]`, `[v6]:port` and `v4:port`; a port after IPv6 without brackets cannot be told from its last part. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](:\d*)?$/.exec(text)?.[1] ?? /^(.*\d\.\d+):\d*$/.exec(text)?.[1] ?? text
}

function withoutZone(text: string): string {
  return text.replace(/%.*$/, '')
}
