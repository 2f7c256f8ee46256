/** Letters, digits, hyphens and underscores between dots. Underscores occur in names of private networks. */
const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
/** RFC 1035 §3.1. */
const MAX_LENGTH = 253

/**
 * The host of a `Host` header in the one form in which hosts are compared: lower case, without the port and without the dot of
 * the root at its end. Null for what is no name and no address. Source: rule J2.
 */
export function toHostName(header: string): string | null {
  const written = header.trim().toLowerCase()
  const bracketed = /^(\[[0-9a-f:.]+\])(:\d*)?$/.exec(written)?.[1]
  if (bracketed !== undefined) return bracketed
  const name = written.replace(/:\d*$/, '').replace(/\.$/, '')
  return name.length <= MAX_LENGTH && NAME.test(name) ? name : null
}

/**
 * Whether only the installation itself can be meant by this host: an IP address, or a name without a dot, which no public domain
 * is (`localhost`, the name of a container, of a machine in a private network). Source: rule J1.
 */
export function isLocalHost(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host) || !host.includes('.')
}

/** Whether a name is below `localhost`: it always means the machine that asks. Source: RFC 6761 §6.3. */
export function isBelowLocalhost(host: string): boolean {
  return host.endsWith('.localhost')
}
