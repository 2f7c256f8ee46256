import type { FastifyRequest } from 'fastify'
import { idSchema } from '#contract/primitives.ts'
import { readWaitingLink } from '#server/areas/waiting-list/read-waiting-link.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import type { RecordReference } from '#server/records/hostnames/record-repository.ts'

export type LinkDeps = {
  readonly manageLinks: Pick<ManageLinks, 'read'>
  readonly signer: Pick<Signer, 'isGenuine'>
}

/**
 * Finds the record that a request of a customer is about. The address has the signed link of an email, or the id of an appointment. Null
 * when it has neither. The database is not asked, so the record may not exist.
 */
export function findNamedRecord(deps: LinkDeps, request: FastifyRequest): RecordReference | null {
  // The router gives the parts by these names.
  const { token, appointmentId, id } = request.params as Readonly<Partial<Record<string, string>>>
  if (token !== undefined) return findLinkedRecord(deps, token)
  const query = new URLSearchParams(queryOf(request))
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

/** The query of a request with its question mark, or nothing. */
export function queryOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}
