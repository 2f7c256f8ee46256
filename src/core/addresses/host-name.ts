/** Letters, digits, hyphens and underscores between dots. Names in private networks can have underscores. */
const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
/** RFC 1035 §3.1. */
const MAX_LENGTH = 253

/**
 * Normalises a `Host` header for comparison: lower case, without port and trailing dot. Null when it is neither a name
 * nor an address. Source: rule J2.
 */
export function toHostName(header: string): string | null {
  const written = header.trim().toLowerCase()
  const bracketed = /^(\[[0-9a-f:.]+\])(:\d*)?$/.exec(written)?.[1]
  if (bracketed !== undefined) return bracketed
  const name = written.replace(/:\d*$/, '').replace(/\.$/, '')
  return name.length <= MAX_LENGTH && NAME.test(name) ? name : null
}

/**
 * True for hosts that can only mean the installation itself: an IP address, or a name without a dot (`localhost`, a
 * container, a machine in a private network). Source: rule J1.
 */
export function isLocalHost(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host) || !host.includes('.')
}
