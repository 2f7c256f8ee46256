import type { Interval } from '#core/shared/interval.ts'
import { isStorableText } from '#core/shared/text.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ExternalEvent } from '#server/ports/external-calendar.ts'
import { listAppointmentsOfOwner, listOwnEvents, type OwnEvent } from './sync-repository.ts'

/** The id of an event, and the id of the appointment that it names. */
export type EventReference = Pick<ExternalEvent, 'eventId' | 'appointmentId'>

/**
 * Finds which of these events belong to our appointments, by event id. Both a sync and a check before a booking use it.
 * Source: rule G5.
 */
export async function findOwnEvents(
  trx: Trx,
  calendar: { readonly id: string; readonly connectionId: string },
  events: readonly EventReference[],
): Promise<Map<string, OwnEvent>> {
  const ids = events.map(({ eventId }) => eventId).filter(isStorableText)
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
 * Finds the calendar in which this event need not count as busy, because the event belongs to an appointment that
 * already occupies the time. Null if the event belongs to no appointment, or is no longer at the appointment's time
 * because the owner moved it, copied it or made it a series. Source: rule G5.
 */
export function findCalendarOfOwnEvent(
  own: OwnEvent | undefined,
  { startMs, endMs }: Interval,
): string | null {
  const isWithin = own?.times.some((time) => time.startMs <= startMs && endMs <= time.endMs)
  return own !== undefined && isWithin ? own.calendarId : null
}
