import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Private networks that owner-supplied URLs may reach (set by the operator). */
export type AllowedNetworks = readonly Network[]

/** The networks of this machine itself. */
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128']

/** The part of IPv6 used for the public internet; the rest is private or embeds IPv4. Source: RFC 4291 §2.4. */
const INTERNET_V6: Network = ipaddr.IPv6.parseCIDR('2000::/3')

/** An IP address that looks public, but belongs to the metadata server of every Azure virtual machine. */
const AZURE_METADATA = '168.63.129.16'

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    if (!ipaddr.isValid(text)) return null
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return null
  }
}

/**
 * Parses the networks.
 * @throws Error that names the invalid network
 */
export function toAllowedNetworks(texts: readonly string[]): AllowedNetworks {
  return texts.map((text) => {
    const network = parseNetwork(text)
    if (network === null) throw new Error(`${text} is not a network.`)
    return network
  })
}

/**
 * True when an IP address is on the public internet. False for private, loopback, link-local and shared ranges, and for
 * IPv6 forms of IPv4 addresses (mapped, NAT64, 6to4, Teredo), which can hide any of these. Source: rule G21.
 */
export function isOnInternet(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || address.toString() === AZURE_METADATA) return false
  return address.kind() === 'ipv4' || isIn(address, INTERNET_V6)
}

/** True when an IP address is in one of the networks. */
export function isInNetworks(text: string, networks: AllowedNetworks): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return networks.some((network) => isIn(address, network))
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  // Compare the kinds first: the library throws when IPv4 is compared with IPv6.
  return address.kind() === network.kind() && address.match(network, bits)
}
