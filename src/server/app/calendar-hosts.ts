import { INFORMATION_PAGES } from '#contract/information-pages.ts'
import { sendContactMessage } from '#contract/operations/addresses.ts'
import { isLocalHost } from '#core/publishing/host-name.ts'
import type { Config } from './config.ts'

/** The privacy notice and pages like it. The foot of the booking page links to them, so a host of a calendar redirects to the installation's. */
const INSTALLATION_PAGES: readonly string[] = Object.values(INFORMATION_PAGES).map(({ path }) => path)

/** The routes that a host of a calendar has: the customer's pages, and the files with fixed names that they load. Source: rule J3. */
const ROUTES = new Set([
  '/',
  '/book/:slug',
  '/book/:slug/confirmation',
  '/confirmation',
  '/cancel/:appointmentId',
  '/manage/:token',
  '/waiting/:token',
  '/payment-success',
  '/payment-cancelled',
  '/sandbox/mail',
  '/embed-frame.js',
  '/embed.js',
  '/theme.js',
  '/warm-formats.js',
  '/favicon.svg',
  '/apple-touch-icon.png',
  '/preview.png',
  '/robots.txt',
  ...INSTALLATION_PAGES,
])
/** Beginnings of paths that it has as a whole: hashed files, files of looks, and the operations of customers. */
const BELOW = ['/assets/', '/branding/', '/api/public/']
/** An operation for visitors of the installation's own pages alone: the message to its operator. */
const NOT_THERE = new Set([toPath(sendContactMessage)])

/** The short session of a customer who has typed a code, which belongs to the host that set it. */
const CUSTOMER_COOKIE = /^(__Secure-)?meridian\.customer$/

/** Whether a cookie may be read on hosts of calendars, by its name. Source: rule J3. */
export function isCustomerCookie(name: string): boolean {
  return CUSTOMER_COOKIE.test(name)
}

/** Whether hosts of calendars have a route of the installation, by its pattern. Source: rule J3. */
export function isCalendarHostRoute(route: string): boolean {
  if (NOT_THERE.has(route)) return false
  return ROUTES.has(route.replace(/(?<=.)\/$/, '')) || BELOW.some((start) => route.startsWith(start))
}

/** Whether calendars can have hosts of their own on this installation. */
export function hasCalendarHosts({ domains }: Pick<Config, 'domains'>): boolean {
  const { subdomainHost, targets } = domains
  return subdomainHost !== null || targets.name !== null || targets.addresses.length > 0
}

/**
 * Builds the function that says whether a host is the installation's own. Where no calendar can have a host, every host counts as the
 * installation's: a machine in a private network is reached by names that its settings do not know. Source: rule J1.
 */
export function buildOwnHosts({
  baseUrl,
  hasCalendarHosts,
}: {
  readonly baseUrl: string
  readonly hasCalendarHosts: boolean
}): (host: string) => boolean {
  const own = new URL(baseUrl).hostname
  return (host) => !hasCalendarHosts || host === own || isLocalHost(host)
}

function toPath(address: string): string {
  return address.slice(address.indexOf(' ') + 1)
}
