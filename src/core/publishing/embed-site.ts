const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const SITE = new RegExp(
  `^(?:(?<scheme>https?)://)?(?<host>${LABEL}(?:[.]${LABEL})*)(?::(?<port>[0-9]{1,5}))?(?:[/?#].*)?$`,
  'i',
)
const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 }
const LARGEST_PORT = 65_535

/**
 * The origin of a website as somebody typed it, such as `https://www.example.com`, or null when it names none. A missing scheme means
 * https, and what follows the host is left out: a browser compares origins alone. Wildcards, user names, IPv6 addresses and
 * hosts in other scripts are refused, because the header that lists the sites cannot have them. Source: rule W19.
 */
export function toEmbedSite(typed: string): string | null {
  const parts = SITE.exec(typed)?.groups
  if (parts === undefined) return null
  const scheme = parts.scheme?.toLowerCase() ?? 'https'
  const port = Number(parts.port ?? DEFAULT_PORTS[scheme])
  if (port < 1 || port > LARGEST_PORT) return null
  const origin = `${scheme}://${parts.host?.toLowerCase()}`
  return port === DEFAULT_PORTS[scheme] ? origin : `${origin}:${port}`
}

/** The origins of what somebody typed, each once. What names no website is left out. */
export function toEmbedSites(typed: readonly string[]): string[] {
  return [...new Set(typed.map(toEmbedSite).filter((site) => site !== null))]
}
