import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOT_FOUND_PAGE } from '#contract/pages/app-pages.ts'
import { toHostName } from '#core/addresses/host-name.ts'
import { truncateText } from '#core/shared/text.ts'
import { isApiRequest } from './is-api-request.ts'
import { sendPlainPage } from './plain-page.ts'
import { ProblemError } from './problem-error.ts'

/** A host name that serves one calendar's pages and nothing else. */
export type CalendarHost = { readonly host: string; readonly calendarId: string; readonly slug: string }

export type RequestHostOptions = {
  /** True for the installation's own hosts, in the form returned by `toHostName`. */
  readonly isOwnHost: (host: string) => boolean
  readonly findCalendarHost: (host: string) => Promise<CalendarHost | null>
  /** Returns true when calendar hosts serve the route with this pattern. */
  readonly isCalendarHostRoute: (route: string) => boolean
  /** Returns true for the name of a customer cookie. All other cookies belong to logged-in owners. */
  readonly isCustomerCookie: (name: string) => boolean
}

/** The host of a request; null for the installation's own host. */
type RequestHost = CalendarHost | 'unknown' | null

/** Name of the request decorator that stores the host. */
const HOST = 'requestHost'
const NO_PAGE = { title: 'Nothing is here', text: 'There is no booking page at this address.' }

/**
 * Determines which calendar's host a request is for. `request.host` is the Host header, or the value from a trusted
 * proxy. Nobody is logged in on hosts other than the installation's own, so login cookies are removed from requests to
 * other hosts. Source: rules J2 and J3.
 */
export function resolveRequestHosts(app: FastifyInstance, options: RequestHostOptions | undefined): void {
  app.decorateRequest(HOST, null)
  if (options === undefined) return
  app.addHook('onRequest', async (request) => {
    // HTTP 1.0 requests may have no host, so treat them as requests to the installation's own host.
    if (request.host === '') return
    const host = toHostName(request.host)
    if (host !== null && options.isOwnHost(host)) return
    keepCookies(request, options.isCustomerCookie)
    const found = host === null ? null : await options.findCalendarHost(host)
    request.setDecorator<RequestHost>(HOST, found ?? 'unknown')
  })
}

function keepCookies({ headers }: FastifyRequest, isKept: (name: string) => boolean): void {
  const cookies = headers.cookie?.split(/; */) ?? []
  const kept = cookies.filter((cookie) => isKept(cookie.split('=', 1)[0] ?? ''))
  if (kept.length === 0) delete headers.cookie
  else headers.cookie = kept.join('; ')
}

/**
 * Serves only the booking pages on calendar hosts, and nothing on unknown hosts. Runs after the security headers are
 * set, so that these refusals have them too. Source: rules J1 and J3.
 */
export function refuseRequestsToOtherHosts(
  app: FastifyInstance,
  options: RequestHostOptions | undefined,
): void {
  if (options === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const host = requestHostOf(request)
    if (host === null) return
    if (host === 'unknown') return refuse(request, reply, 'host.unknown')
    const { url: route } = request.routeOptions
    // The router returns path parameters by name. On a calendar's host, the path has no slug, so use the host's.
    const { slug = host.slug } = request.params as Readonly<Record<string, string>>
    const isThere = route !== undefined && options.isCalendarHostRoute(route)
    if (!isThere || (isApiRequest(request) && slug !== host.slug))
      return refuse(request, reply, 'request.not_found')
  })
}

/** Returns the calendar whose host was requested; null on the installation's own host. */
export function findCalendarHost(request: FastifyRequest): CalendarHost | null {
  const host = requestHostOf(request)
  return host === 'unknown' ? null : host
}

/** True on the installation's own host. */
export function isOnInstallationHost(request: FastifyRequest): boolean {
  return requestHostOf(request) === null
}

function requestHostOf(request: FastifyRequest): RequestHost {
  return request.getDecorator<RequestHost>(HOST)
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  code: 'host.unknown' | 'request.not_found',
): FastifyReply {
  if (isApiRequest(request)) throw new ProblemError(code)
  return code === 'host.unknown' ? sendPlainPage(reply, code, NO_PAGE) : sendPageNotFound(request, reply)
}

/** Maximum number of characters of the path shown on the page. */
const SHOWN_LENGTH = 100

/** Sends a 404 page on a calendar's host, with the path and a link to the booking page. Source: rule J3. */
export function sendPageNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?')
  const shown = path.length > SHOWN_LENGTH ? `${truncateText(path, SHOWN_LENGTH)}…` : path
  return sendPlainPage(reply, 'request.not_found', {
    title: NOT_FOUND_PAGE,
    text: `There is no page at ${shown}`,
    link: { href: '/', text: 'Go to the booking page' },
  })
}
