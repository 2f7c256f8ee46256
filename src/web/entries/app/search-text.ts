/** Reads a query string as text only, so that a token of digits stays text. The first of several values counts. */
export function parseSearchText(search: string): Record<string, string> {
  const entries = [...new URLSearchParams(search)]
  return Object.fromEntries(entries.reverse())
}

/** Writes a query string without undefined values. */
export function stringifySearchText(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** The value of a search parameter when it is a text. */
export function textParam(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name]
  return typeof value === 'string' ? value : undefined
}
