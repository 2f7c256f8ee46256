import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { readWithinLimits } from '#server/areas/external-calendars/connections/read-within-limits.ts'
import {
  type CalendarAccess,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ChangesRequest,
  type ExternalEvent,
} from '#server/ports/external-calendar.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { listCalendarsOfAccount, type StoredAppointmentEvent } from './repository.ts'

/** Maximum number of an account's calendars to search: the event's calendar first, then those in use. */
const MOST_CALENDARS = 20
/**
 * How far around its time an event is searched for, because an owner who moves it to another calendar may also change
 * its time.
 */
const AROUND_MS = 7 * DAY_MS
/** Time limit for the search, in milliseconds, because a sync waits for it. */
const SEARCH_MS = MINUTE_MS

/** The event of an appointment, found at a different place from where it was written. */
export type MovedEvent = { readonly externalCalendarId: string; readonly event: ExternalEvent }

/**
 * Searches the calendars of the account, starting with the event's own, for another event of the same appointment.
 * Cutting and pasting an event creates a new one, and calendar programs move an event to another calendar by creating
 * it there and deleting it here; the copy keeps our secret. An event that names the appointment but lacks the secret is
 * not ours. Returns null when no readable calendar contains such an event. Source: rules G12 and G27.
 * @throws CalendarProviderError when one of the calendars cannot be read at the moment
 */
export async function findMovedEvent(
  deps: AppointmentEventsDeps,
  secret: string | null,
  { connectionId, externalCalendarId, readerZones, eventRef, time }: StoredAppointmentEvent,
): Promise<MovedEvent | null> {
  if (secret === null) return null
  const calendars = await listCalendarsOfAccount(deps.db, {
    connectionId,
    first: externalCalendarId,
    most: MOST_CALENDARS,
    unusedZones: readerZones,
  })
  const window = { startMs: time.startMs - AROUND_MS, endMs: time.endMs + AROUND_MS }
  const endMs = performance.now() + SEARCH_MS
  const isOther = (event: ExternalEvent, calendarId: string) =>
    event.secret === secret && (calendarId !== externalCalendarId || event.eventId !== eventRef)
  return withProviderAccess(deps, connectionId, async (provider, access) => {
    for (const { externalCalendarId, ...calendar } of calendars) {
      const events = await listIn(provider, access, {
        request: { calendar, cursor: null, window },
        endMs,
        isWanted: (event) => isOther(event, externalCalendarId),
      })
      const event = findNearest(events, time)
      if (event !== null) return { externalCalendarId, event }
    }
    return null
  })
}

/** Of several copies, returns the one nearest to the appointment's time. */
function findNearest(events: readonly ExternalEvent[], { startMs }: Interval): ExternalEvent | null {
  const distanceOf = ({ occurrences: [first] }: ExternalEvent) =>
    first === undefined ? Number.POSITIVE_INFINITY : Math.abs(first.startMs - startMs)
  return events.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0] ?? null
}

type Search = {
  readonly request: Omit<ChangesRequest, 'signal'>
  readonly endMs: number
  readonly isWanted: (event: ExternalEvent) => boolean
}

async function listIn(
  provider: CalendarProvider,
  access: CalendarAccess,
  { request, endMs, isWanted }: Search,
): Promise<ExternalEvent[]> {
  const found: ExternalEvent[] = []
  try {
    for await (const { changes } of readWithinLimits(provider, access, request, { endMs })) {
      for (const { event } of changes) if (event !== null && isWanted(event)) found.push(event)
    }
    return found
  } catch (error) {
    if (error instanceof CalendarProviderError && !IS_RETRYABLE[error.kind]) return []
    throw error
  }
}

/**
 * For each kind of error, whether a retry may succeed. A calendar that can never be read must not keep other changes
 * from being handled.
 */
const IS_RETRYABLE: Record<CalendarErrorKind, boolean> = {
  expired: true,
  rate_limited: true,
  unavailable: true,
  forbidden: false,
  cursor_lost: false,
  gone: false,
  conflict: false,
  refused: false,
  event_refused: false,
  address_refused: false,
}
