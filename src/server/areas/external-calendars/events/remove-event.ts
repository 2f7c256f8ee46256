import type { CalendarAccess, CalendarProvider } from '#server/ports/external-calendar.ts'
import type { StoredEvent } from './repository.ts'

export type EventAccess = {
  readonly events: NonNullable<CalendarProvider['events']>
  readonly access: CalendarAccess
}

/** Removes an event regardless of later changes to it, because a cancelled appointment has no event. */
export async function removeEvent(
  { events, access }: EventAccess,
  { externalId, eventRef }: Pick<StoredEvent, 'externalId' | 'eventRef'>,
): Promise<void> {
  await events.remove(access, { externalId, eventRef, etag: null })
}
