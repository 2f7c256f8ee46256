/**
 * Parses a query string into strings only, so that a token of digits stays a string. If a parameter occurs several times, its
 * first value counts.
 */
export function parseQueryString(search: string): Record<string, string> {
  const entries = [...new URLSearchParams(search)]
  return Object.fromEntries(entries.reverse())
}

/** Builds a query string, leaving out undefined values. */
export function stringifyQueryString(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the value of a search parameter if it is a string. */
export function findStringParam(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name]
  return typeof value === 'string' ? value : undefined
}
