import { isStorable } from '#core/shared/text.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ExternalEvent } from '#server/ports/external-calendar.ts'
import { listHeldAppointments, listOwnEvents } from './sync-repository.ts'

/** The id of an event and the appointment that it claims to be of. */
export type EventClaim = Pick<ExternalEvent, 'eventId' | 'appointmentId'>

/**
 * The calendars of ours whose appointments these events are, by the id of the event. A sync and a question before a booking both
 * decide by it. Source: rule G5.
 */
export async function findHolders(
  trx: Trx,
  calendar: { readonly id: string; readonly connectionId: string },
  events: readonly EventClaim[],
): Promise<Map<string, string>> {
  const ids = events.map(({ eventId }) => eventId).filter(isStorable)
  const written = await listOwnEvents(trx, calendar.id, ids)
  const claims = events.flatMap(({ eventId, appointmentId }) =>
    !written.has(eventId) && appointmentId ? [{ eventId, appointmentId: appointmentId.toLowerCase() }] : [],
  )
  const held = await listHeldAppointments(
    trx,
    calendar.connectionId,
    claims.map(({ appointmentId }) => appointmentId),
  )
  const claimed = claims.flatMap(({ eventId, appointmentId }): [string, string][] => {
    const holder = held.get(appointmentId)
    return holder === undefined ? [] : [[eventId, holder]]
  })
  return new Map([...written, ...claimed])
}
