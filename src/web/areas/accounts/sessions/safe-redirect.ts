/** Pages that are not opened after a login, because they are for users who are not logged in. */
const SIGN_IN_PAGES = ['/login', '/register', '/forgot-password', '/reset-password', '/auth/']

/**
 * Returns the path to open after a login: `wanted` if it is a page of this site, otherwise the dashboard. Never returns a URL of
 * another site. Source: rule U13.
 */
export function toSafeRedirect(wanted: string | undefined, origin: string): string {
  if (wanted === undefined || !wanted.startsWith('/')) return '/dashboard'
  // Parses the path as the browser does: `//host`, `/\host` and tabs in the path all point to another host, and `/.//host` does
  // so when it is parsed a second time.
  if (!URL.canParse(wanted, origin)) return '/dashboard'
  const url = new URL(wanted, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/dashboard'
  if (SIGN_IN_PAGES.some((page) => url.pathname.startsWith(page))) return '/dashboard'
  return `${url.pathname}${url.search}${url.hash}`
}
