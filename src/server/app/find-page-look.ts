import type { FastifyRequest } from 'fastify'
import { idSchema } from '#contract/primitives.ts'
import { isValidSlug } from '#core/publishing/slug.ts'
import type { NamedCalendar } from '#server/features/branding/shown-repository.ts'
import { findPageLook, type ShownBrandingDeps } from '#server/features/branding/use-cases.ts'
import { readWaitingLink } from '#server/features/waiting-list/read-waiting-link.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { calendarHostOf } from '#server/platform/http/request-hosts.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { queryOf } from './find-way-on.ts'
import type { PageHead } from './page-templates.ts'

export type PageLookDeps = ShownBrandingDeps & {
  readonly manageLinks: Pick<ManageLinks, 'read'>
  readonly signer: Pick<Signer, 'isGenuine'>
}

/**
 * The look of a page that follows a booking. The page has it from the start, so that it neither asks for it nor changes its colours
 * while somebody reads. Such a page works without a look, so it waits for no database that is away. Source: rule K11.
 */
export async function findLookOfPage(
  deps: PageLookDeps,
  request: FastifyRequest,
): Promise<Pick<PageHead, 'colors' | 'logo'>> {
  const calendar = toNamedCalendar(deps, request)
  if (calendar === null) return {}
  const look = await findPageLook(deps, calendar).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null
    throw error
  })
  return look ?? {}
}

/** The calendar that an address names: by its host, its slug, a signed link of an email, or an appointment. */
function toNamedCalendar(deps: PageLookDeps, request: FastifyRequest): NamedCalendar | null {
  const host = calendarHostOf(request)
  if (host !== null) return { by: 'slug', name: host.slug }
  const { slug, token, ...params } = request.params as PageParams // the router gives the parts by these names
  if (slug !== undefined) return isValidSlug(slug) ? { by: 'slug', name: slug } : null
  if (token !== undefined) return toLinkedCalendar(deps, token)
  const query = new URLSearchParams(queryOf(request))
  const { success, data: name } = idSchema.safeParse(params.appointmentId ?? query.get('appointment_id'))
  return success ? { by: 'appointment', name } : null
}

type PageParams = { readonly slug?: string; readonly token?: string; readonly appointmentId?: string }

function toLinkedCalendar({ manageLinks, signer }: PageLookDeps, token: string): NamedCalendar | null {
  const link = manageLinks.read(token)
  if (link !== null) return { by: 'appointment', name: link.appointmentId }
  const waiting = readWaitingLink(signer, token)
  if (waiting === null) return null
  return { by: waiting.about === 'offer' ? 'waitingOffer' : 'waitingEntry', name: waiting.id }
}
