import type { FastifyRequest } from 'fastify'
import { findCanonicalAddress, findServedHost } from '#server/areas/addresses/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import type { CalendarHost } from '#server/platform/http/request-hosts.ts'
import { findCalendarOfRecord } from '#server/records/hostnames/record-repository.ts'
import type { AddressSettings } from '#server/records/hostnames/to-address.ts'
import { findNamedRecord, type LinkDeps, queryOf } from './named-record.ts'

/** What was asked for: on which host (null: the installation), at which path, with which query. */
type Asked = {
  readonly host: CalendarHost | null
  readonly path: string
  readonly query: string
  /** For a frame on a page of another site. */
  readonly isEmbedded: boolean
}

/**
 * Where a request for a booking page is led on to. Null when it is at the page's address. The installation shows a frame every booking
 * page, so that the code in websites goes on when an owner chooses another address. Source: rule J5.
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

/** As `findBookingPageRedirect`, but nobody is led on from a host that still shows the page itself. Source: rules I15 and J5. */
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
 * Whether a host shows the pages of its calendar itself. A domain that was found to lead elsewhere does so for a week, although no link
 * leads to it any more. Source: rule I15.
 */
async function isStillServed(deps: RedirectDeps, { host }: CalendarHost): Promise<boolean> {
  return (await findServedHost(deps, host))?.role === 'page'
}

/**
 * Where a request for a page about one appointment is led on to, on a host of a calendar: such a page has the same path everywhere,
 * but for the confirmation. A domain may have been that of another calendar when the link was written, so an appointment leads on to the
 * address of its own. Null on a host that shows the pages itself, and while the database is away. Source: rules I15, J3 and J5.
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
  // A host says already which calendar is meant. The installation does not.
  const confirmation = !isHere && origin === deps.baseUrl ? `/book/${slug}/confirmation` : '/confirmation'
  const page = path.replace(/^(\/book\/[^/]+)?\/confirmation$/, confirmation)
  const way = `${isHere ? '' : origin}${page}${queryOf(request)}`
  return way === request.url ? null : way
}

/**
 * The site to which links of the calendar lead whose page is asked for, and whether the host that was asked shows that page itself. Null when the
 * calendar is gone.
 */
async function findAddressFrom(
  deps: RedirectDeps & LinkDeps,
  request: FastifyRequest,
  host: CalendarHost,
): Promise<{ readonly origin: string; readonly slug: string; readonly isHere: boolean } | null> {
  const record = findNamedRecord(deps, request)
  const { calendarId, slug } = (record && (await findCalendarOfRecord(deps.db, record))) ?? host
  const address = await findCanonicalAddress(deps, calendarId)
  if (address === null) return null
  const { origin, hostname } = new URL(address)
  const isAddress = origin !== deps.baseUrl && hostname === host.host
  const isHere = isAddress || (calendarId === host.calendarId && (await isStillServed(deps, host)))
  return { origin, slug, isHere }
}
