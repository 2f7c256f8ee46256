import type { FastifyRequest } from 'fastify'
import { findCanonicalAddress, findServedHost } from '#server/areas/addresses/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import type { CalendarHost } from '#server/platform/http/request-hosts.ts'
import { findCalendarOfRecord } from '#server/records/hostnames/record-repository.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import { findRequestedRecord, getQueryString, type LinkDeps } from './requested-record.ts'

/** The requested page: its host (null for the installation's own), path and query. */
type Asked = {
  readonly host: CalendarHost | null
  readonly path: string
  readonly query: string
  /** True when the page is requested for a frame on another website. */
  readonly isEmbedded: boolean
}

/**
 * Returns the redirect target for a booking page that was requested at an address other than its own; null when the
 * address is right. The installation serves frames at any address, so that embed codes keep working after the owner
 * changes the address. Source: rule J5.
 */
export function findBookingPageRedirect(asked: Asked, publicUrl: string, baseUrl: string): string | null {
  const address = new URL(publicUrl)
  const isInstallation = address.origin === baseUrl
  const isThere =
    asked.host === null
      ? asked.isEmbedded || (isInstallation && address.pathname === asked.path)
      : !isInstallation && address.hostname === asked.host.host
  return isThere ? null : `${address.origin}${address.pathname}${asked.query}`
}

type RedirectDeps = AddressSettings & { readonly db: Db }

/**
 * Like `findBookingPageRedirect`, but returns null if the requested host still serves the page itself.
 * Source: rules I15 and J5.
 */
export async function findPageRedirect(
  deps: RedirectDeps,
  asked: Asked,
  publicUrl: string,
): Promise<string | null> {
  const wayOn = findBookingPageRedirect(asked, publicUrl, deps.baseUrl)
  if (wayOn === null || asked.host === null) return wayOn
  return (await isStillServed(deps, asked.host)) ? null : wayOn
}

/**
 * True when a host still serves its calendar's pages. A domain that points elsewhere is still served for a week,
 * although links no longer use it. Source: rule I15.
 */
async function isStillServed(deps: RedirectDeps, { host }: CalendarHost): Promise<boolean> {
  return (await findServedHost(deps, host))?.role === 'page'
}

/**
 * Returns the redirect target of an appointment page requested on a calendar's host. Such pages have the same path
 * everywhere, except the confirmation. The domain may have belonged to another calendar when the link was written, so
 * the target is the address of the appointment's own calendar. Returns null if this host serves the page itself, and
 * while the database is unavailable. Source: rules I15, J3 and J5.
 */
export async function findHostRedirect(
  deps: RedirectDeps & LinkDeps,
  request: FastifyRequest,
  host: CalendarHost,
): Promise<string | null> {
  const known = await findAddressFrom(deps, request, host).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null
    throw error
  })
  if (known === null) return null
  const { origin, slug, isHere } = known
  const [path = ''] = request.url.split('?')
  // The host identifies the calendar; on the installation's own host, the path must contain the slug.
  const confirmation = !isHere && origin === deps.baseUrl ? `/book/${slug}/confirmation` : '/confirmation'
  const page = path.replace(/^(\/book\/[^/]+)?\/confirmation$/, confirmation)
  const way = `${isHere ? '' : origin}${page}${getQueryString(request)}`
  return way === request.url ? null : way
}

/**
 * Finds the origin that the links of the page's calendar use, and whether the requested host serves the page itself.
 * Null when the calendar was deleted.
 */
async function findAddressFrom(
  deps: RedirectDeps & LinkDeps,
  request: FastifyRequest,
  host: CalendarHost,
): Promise<{ readonly origin: string; readonly slug: string; readonly isHere: boolean } | null> {
  const record = findRequestedRecord(deps, request)
  const { calendarId, slug } = (record && (await findCalendarOfRecord(deps.db, record))) ?? host
  const address = await findCanonicalAddress(deps, calendarId)
  if (address === null) return null
  const { origin, hostname } = new URL(address)
  const isAddress = origin !== deps.baseUrl && hostname === host.host
  const isHere = isAddress || (calendarId === host.calendarId && (await isStillServed(deps, host)))
  return { origin, slug, isHere }
}
