import type { FastifyInstance, FastifyRequest } from 'fastify'
import { idSchema } from '#contract/shared/primitives.ts'
import { readWaitingLink } from '#server/areas/waiting-list/read-waiting-link.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isApiRequest } from '#server/platform/http/is-api-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findCalendarHost } from '#server/platform/http/request-hosts.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { findCalendarOfRecord, type RecordReference } from '#server/records/hostnames/record-repository.ts'

export type LinkDeps = {
  readonly manageLinks: Pick<ManageLinks, 'read'>
  readonly signer: Pick<Signer, 'isGenuine'>
}

/**
 * Returns the record that a customer's request is about, identified by a signed link or an appointment id in the URL.
 * Returns null when the URL has neither. This does not query the database, so the record may not exist.
 */
export function findRequestedRecord(deps: LinkDeps, request: FastifyRequest): RecordReference | null {
  // The router provides path parameters under these names.
  const { token, appointmentId, id } = request.params as Readonly<Partial<Record<string, string>>>
  if (token !== undefined) return findLinkedRecord(deps, token)
  const query = new URLSearchParams(getQueryString(request))
  const { success, data: name } = idSchema.safeParse(appointmentId ?? id ?? query.get('appointment_id'))
  return success ? { by: 'appointment', name } : null
}

function findLinkedRecord({ manageLinks, signer }: LinkDeps, token: string): RecordReference | null {
  const link = manageLinks.read(token)
  if (link !== null) return { by: 'appointment', name: link.appointmentId }
  const waiting = readWaitingLink(signer, token)
  if (waiting === null) return null
  return { by: waiting.about === 'offer' ? 'waitingOffer' : 'waitingEntry', name: waiting.id }
}

/** Returns the query string of a request including its question mark, or ''. */
export function getQueryString({ url }: Pick<FastifyRequest, 'url'>): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

/**
 * On a calendar's host, refuses customer operations on another calendar's records: appointments and waiting-list
 * requests identified in the URL by an id or signed link. Many areas use these records, so the check is made here for
 * all of them, with one primary-key lookup, and only on calendar hosts. Source: rule J3.
 */
export function refuseRecordsOfOtherCalendars(
  app: FastifyInstance,
  deps: LinkDeps & { readonly db: Db },
): void {
  // Run this before the body is validated, so that no refusal reveals anything about another calendar's record.
  app.addHook('preValidation', async (request) => {
    const host = findCalendarHost(request)
    const record = host === null || !isApiRequest(request) ? null : findRequestedRecord(deps, request)
    if (host === null || record === null) return
    const calendar = await findCalendarOfRecord(deps.db, record)
    if (calendar !== null && calendar.calendarId !== host.calendarId)
      throw new ProblemError('request.not_found')
  })
}
