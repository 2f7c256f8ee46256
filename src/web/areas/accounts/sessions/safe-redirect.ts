/** Pages that would only lead back to the login. */
const SIGN_IN_PAGES = ['/login', '/register', '/forgot-password', '/reset-password', '/auth/']

/**
 * Where to go after a login: the page that the person wanted, when it is a page of this site, otherwise the dashboard.
 * An address of another site is never followed, however it is written. Source: rule U13.
 */
export function toSafeRedirect(wanted: string | undefined, origin: string): string {
  if (wanted === undefined || !wanted.startsWith('/')) return '/dashboard'
  // The browser's own parser decides: `//host`, `/\host` and tabs inside all name another host, and `/.//host` becomes
  // one when it is parsed a second time.
  if (!URL.canParse(wanted, origin)) return '/dashboard'
  const url = new URL(wanted, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/dashboard'
  if (SIGN_IN_PAGES.some((page) => url.pathname.startsWith(page))) return '/dashboard'
  return `${url.pathname}${url.search}${url.hash}`
}
