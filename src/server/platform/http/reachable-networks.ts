import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Networks outside the internet that an operator allows addresses of owners to lead into. */
export type AllowedNetworks = readonly Network[]

/** This machine itself. */
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128']

/** The part of IPv6 that is the internet; the rest is private, or another way of writing IPv4. Source: RFC 4291 §2.4. */
const INTERNET_V6: Network = ipaddr.IPv6.parseCIDR('2000::/3')

/** It looks like an address of the internet, and is the metadata server of each virtual machine at Azure. */
const AZURE_METADATA = '168.63.129.16'

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. Null when it is neither. */
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

/** @throws Error that names the network that cannot be read */
export function toAllowedNetworks(texts: readonly string[]): AllowedNetworks {
  return texts.map((text) => {
    const network = parseNetwork(text)
    if (network === null) throw new Error(`${text} is not a network.`)
    return network
  })
}

/**
 * Whether an IP address belongs to the internet. Private, loopback, link-local and shared networks do not, and neither do the
 * IPv6 forms of IPv4 addresses (mapped, NAT64, 6to4, Teredo), behind which any of these can hide. Source: rule G21.
 */
export function isOnInternet(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || address.toString() === AZURE_METADATA) return false
  return address.kind() === 'ipv4' || isIn(address, INTERNET_V6)
}

/** Whether an IP address is in one of these networks. */
export function isInNetworks(text: string, networks: AllowedNetworks): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return networks.some((network) => isIn(address, network))
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  // Comparing the two kinds throws.
  return address.kind() === network.kind() && address.match(network, bits)
}
