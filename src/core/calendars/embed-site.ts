const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const SITE = new RegExp(
  `^(?:(?<scheme>https?)://)?(?<host>${LABEL}(?:[.]${LABEL})*)(?::(?<port>[0-9]{1,5}))?(?:[/?#].*)?$`,
  'i',
)
const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 }
const LARGEST_PORT = 65_535

/**
 * Parses the origin of a website, such as `https://www.example.com`; null when the text names no website. The scheme
 * defaults to https, and anything after the host is dropped, because browsers compare origins only. Rejects wildcards,
 * user names, IPv6 addresses and non-ASCII hosts, because the frame-ancestors header cannot list them. Source: rule
 * W19.
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

/** Returns the distinct origins of the typed websites. Invalid ones are dropped. */
export function toEmbedSites(typed: readonly string[]): string[] {
  return [...new Set(typed.map(toEmbedSite).filter((site) => site !== null))]
}
