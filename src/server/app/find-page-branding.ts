import type { FastifyRequest } from 'fastify'
import { isValidSlug } from '#core/addresses/slug.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { findCalendarHost } from '#server/platform/http/request-hosts.ts'
import type { CalendarReference } from '#server/records/branding/public-repository.ts'
import { findPublicColorsAndLogo, type PublicBrandingDeps } from '#server/records/branding/use-cases.ts'
import type { PageHead } from './page-templates.ts'
import { findRequestedRecord, type LinkDeps } from './requested-record.ts'

export type PageBrandingDeps = PublicBrandingDeps & LinkDeps

/**
 * Returns the branding of a page that follows a booking. The branding is included in the HTML, so that the page needs
 * no request for it and does not change colours while somebody reads it. The page works without branding, so this does
 * not wait for an unavailable database. Source: rule K11.
 */
export async function findPageBranding(
  deps: PageBrandingDeps,
  request: FastifyRequest,
): Promise<Pick<PageHead, 'colors' | 'logo'>> {
  const calendar = toNamedCalendar(deps, request)
  if (calendar === null) return {}
  const look = await findPublicColorsAndLogo(deps, calendar).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null
    throw error
  })
  return look ?? {}
}

/** Identifies the calendar of a request: by host, slug, signed link, or appointment. */
function toNamedCalendar(deps: PageBrandingDeps, request: FastifyRequest): CalendarReference | null {
  const host = findCalendarHost(request)
  if (host !== null) return { by: 'slug', name: host.slug }
  const { slug } = request.params as { readonly slug?: string } // The router provides the parameter under this name.
  if (slug !== undefined) return isValidSlug(slug) ? { by: 'slug', name: slug } : null
  return findRequestedRecord(deps, request)
}
