/** What a policy of a browser can name: letters, digits, dashes and dots. Unicode is in its ASCII form by then. */
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/**
 * The origin of a website as somebody typed it, such as `https://www.example.com`, or null when it names none. A missing scheme means
 * https, and what follows the host is left out: a browser compares origins alone. Wildcards, user names and IPv6 addresses
 * are refused, because the header that lists the sites cannot have them. Source: rule W19.
 */
export function toEmbedSite(typed: string): string | null {
  const address = SCHEME.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin, username, password } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  if (username !== '' || password !== '' || !HOST.test(hostname)) return null
  return origin
}

/** The origins of what somebody typed, each once. What names no website is left out. */
export function toEmbedSites(typed: readonly string[]): string[] {
  return [...new Set(typed.map(toEmbedSite).filter((site) => site !== null))]
}
