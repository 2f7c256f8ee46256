/** Pages that make no sense after a login. */
const SIGN_IN_PAGES = ['/login', '/register', '/forgot-password', '/reset-password', '/auth/']

/**
 * The path to open after a login: `wanted` if it is a page of this site, otherwise the dashboard. Addresses of other
 * sites are never followed. Source: rule U13.
 */
export function toSafeRedirect(wanted: string | undefined, origin: string): string {
  if (wanted === undefined || !wanted.startsWith('/')) return '/dashboard'
  // Uses the browser's parser: `//host`, `/\host` and tabs in the path all name another host, and `/.//host`
  // becomes one when it is parsed a second time.
  if (!URL.canParse(wanted, origin)) return '/dashboard'
  const url = new URL(wanted, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/dashboard'
  if (SIGN_IN_PAGES.some((page) => url.pathname.startsWith(page))) return '/dashboard'
  return `${url.pathname}${url.search}${url.hash}`
}
