import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import { sendContactMessage } from '#contract/operations/addresses.ts'
import { isLocalHost } from '#core/addresses/host-name.ts'
import type { Config } from './config.ts'

/**
 * Information pages such as the privacy notice. Booking pages link to them in the footer, so calendar hosts redirect to
 * the installation's pages.
 */
const INSTALLATION_PAGES: readonly string[] = Object.values(INFORMATION_PAGES).map(({ path }) => path)

/**
 * Routes that calendar hosts serve: the customer pages, and the files with fixed names that they load. Source: rule J3.
 */
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
  '/chosen-time.js',
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
/**
 * Path prefixes that calendar hosts serve completely: files with a hash in their name, branding files, and the customer
 * API.
 */
const SERVED_PREFIXES = ['/assets/', '/branding/', '/api/public/']
/** The customer API operation that calendar hosts do not serve: the contact form of the installation's own pages. */
const INSTALLATION_ONLY = new Set([toPath(sendContactMessage)])

/** Matches the cookie of the short session of a customer who has entered a code. It belongs to the host that set it. */
const CUSTOMER_COOKIE = /^(__Secure-)?meridian\.customer$/

/** True for the name of a cookie that may be read on calendar hosts. Source: rule J3. */
export function isCustomerCookie(name: string): boolean {
  return CUSTOMER_COOKIE.test(name)
}

/** True when calendar hosts serve the route with this pattern. Source: rule J3. */
export function isCalendarHostRoute(route: string): boolean {
  if (INSTALLATION_ONLY.has(route)) return false
  return (
    ROUTES.has(route.replace(/(?<=.)\/$/, '')) || SERVED_PREFIXES.some((start) => route.startsWith(start))
  )
}

/** True when calendars can have their own hosts on this installation. */
export function hasCalendarHosts({ domains }: Pick<Config, 'domains'>): boolean {
  const { subdomainHost, targets } = domains
  return subdomainHost !== null || targets.name !== null || targets.addresses.length > 0
}

/**
 * Builds a function that returns true for the installation's own hosts. If no calendar can have a host, every host
 * counts as the installation's own: a machine in a private network can be reached under names that its settings do not
 * list. Source: rule J1.
 */
export function buildInstallationHostCheck({
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
