import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOT_FOUND_PAGE } from '#contract/app-pages.ts'
import { toHostName } from '#core/publishing/host-name.ts'
import { cutText } from '#core/shared/text.ts'
import { isApiRequest } from './is-api-request.ts'
import { sendPlainPage } from './plain-page.ts'
import { ProblemError } from './problem-error.ts'

/** A host name that leads to a calendar, and to nothing else of the installation. */
export type CalendarHost = { readonly host: string; readonly calendarId: string; readonly slug: string }

export type RequestHostOptions = {
  /** Whether a host is the installation's own, as `toHostName` writes it. */
  readonly isOwnHost: (host: string) => boolean
  readonly findCalendarHost: (host: string) => Promise<CalendarHost | null>
  /** Whether hosts of calendars have a route, by its pattern. */
  readonly isCalendarHostRoute: (route: string) => boolean
  /** Whether a cookie is one of customers, by its name. The others are of people who are logged in. */
  readonly isCustomerCookie: (name: string) => boolean
}

/** Null for the installation's own host. */
type RequestHost = CalendarHost | 'unknown' | null

/** The decorator of a request that has its host. */
const HOST = 'requestHost'
const NO_PAGE = { title: 'Nothing is here', text: 'There is no booking page at this address.' }

/**
 * Finds out whose host a request is for. `request.host` is the header, or what a trusted proxy says that it was. On a host that is
 * not the installation's own nobody is logged in, so no part of the product sees the cookie of a login there. Source: rules J2 and J3.
 */
export function findRequestHosts(app: FastifyInstance, options: RequestHostOptions | undefined): void {
  app.decorateRequest(HOST, null)
  if (options === undefined) return
  app.addHook('onRequest', async (request) => {
    // A request of HTTP 1.0 may come without.
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
 * Answers on hosts of calendars only what belongs to their booking page, and on unknown hosts nothing. It comes after the security
 * headers, so that these refusals have them. Source: rules J1 and J3.
 */
export function refuseOnOtherHosts(app: FastifyInstance, options: RequestHostOptions | undefined): void {
  if (options === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const host = requestHostOf(request)
    if (host === null) return
    if (host === 'unknown') return refuse(request, reply, 'host.unknown')
    const { url: route } = request.routeOptions
    // The router gives the parts of an address by name.
    const { slug = host.slug } = request.params as Readonly<Record<string, string>>
    const isThere = route !== undefined && options.isCalendarHostRoute(route)
    if (!isThere || (isApiRequest(request) && slug !== host.slug))
      return refuse(request, reply, 'request.not_found')
  })
}

/** The calendar whose host was asked. Null on the installation's own. */
export function calendarHostOf(request: FastifyRequest): CalendarHost | null {
  const host = requestHostOf(request)
  return host === 'unknown' ? null : host
}

/** Whether the host is the installation's own. */
export function isOnOwnHost(request: FastifyRequest): boolean {
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

/** A path is shown by so many of its characters. */
const SHOWN_LENGTH = 100

/** Answers a path that a host of a calendar does not have: with the path and the way to the booking page. Source: rule J3. */
export function sendPageNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?')
  const shown = path.length > SHOWN_LENGTH ? `${cutText(path, SHOWN_LENGTH)}…` : path
  return sendPlainPage(reply, 'request.not_found', {
    title: NOT_FOUND_PAGE,
    text: `There is no page at ${shown}`,
    link: { href: '/', text: 'Go to the booking page' },
  })
}
