import type { Interval } from '#core/shared/interval.ts'
import { isStorable } from '#core/shared/text.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ExternalEvent } from '#server/ports/external-calendar.ts'
import { listAppointmentsOfOwner, listOwnEvents, type OwnEvent } from './sync-repository.ts'

/** The id of an event and the appointment that it claims to be of. */
export type EventClaim = Pick<ExternalEvent, 'eventId' | 'appointmentId'>

/**
 * Which of these events are of appointments of ours, by their id. A sync and a question before a booking both decide by it.
 * Source: rule G5.
 */
export async function findOwnEvents(
  trx: Trx,
  calendar: { readonly id: string; readonly connectionId: string },
  events: readonly EventClaim[],
): Promise<Map<string, OwnEvent>> {
  const ids = events.map(({ eventId }) => eventId).filter(isStorable)
  const written = await listOwnEvents(trx, calendar.id, ids)
  const claims = events.flatMap(({ eventId, appointmentId }) =>
    !written.has(eventId) && appointmentId ? [{ eventId, appointmentId: appointmentId.toLowerCase() }] : [],
  )
  const held = await listAppointmentsOfOwner(
    trx,
    calendar.connectionId,
    claims.map(({ appointmentId }) => appointmentId),
  )
  const claimed = claims.flatMap(({ eventId, appointmentId }): [string, OwnEvent][] => {
    const own = held.get(appointmentId)
    return own === undefined ? [] : [[eventId, own]]
  })
  return new Map([...written, ...claimed])
}

/**
 * The calendar of ours for which this time of an event is not busy: the one whose appointment has the time already. Null where the
 * event is of nobody here, or lies elsewhere: the owner has moved it, or has made a copy or a series of it. Source: rule G5.
 */
export function findCalendarOfOwnEvent(
  own: OwnEvent | undefined,
  { startMs, endMs }: Interval,
): string | null {
  const isWithin = own?.times.some((time) => time.startMs <= startMs && endMs <= time.endMs)
  return own !== undefined && isWithin ? own.calendarId : null
}
