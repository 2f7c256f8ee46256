import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { AppointmentKey } from '#server/features/appointments/state-repository.ts'
import { withAccess } from '#server/features/external-calendars/access-use-cases.ts'
import { readInTime } from '#server/features/external-calendars/read-in-time.ts'
import {
  type CalendarAccess,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ChangesRequest,
  type ExternalEvent,
} from '#server/ports/external-calendar.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { listOtherCalendars, type StoredEvent } from './repository.ts'

/** The other calendars of an account that are looked through, those in use first. */
const MOST_CALENDARS = 20
/** How far from its time an event is looked for: whoever moves it to another calendar may give it another time as well. */
const AROUND_MS = 7 * DAY_MS
/** How long the search may take in all, in milliseconds. A sync waits for it. */
const SEARCH_MS = MINUTE_MS

/** The event of an appointment in another calendar of its account than the one that it was written to. */
type MovedEvent = { readonly externalCalendarId: string; readonly event: ExternalEvent }

/**
 * Looks for the event of an appointment in the other calendars of the account. Calendar programs move an event by writing it there
 * and deleting it here; it still names its appointment. Null when no calendar that can be read has it. Source: rule G12.
 * @throws CalendarProviderError when one of them could not be read now
 */
export async function findElsewhere(
  deps: AppointmentEventsDeps,
  { id }: AppointmentKey,
  { connectionId, externalCalendarId, time }: StoredEvent,
): Promise<MovedEvent | null> {
  const others = await listOtherCalendars(deps.db, { connectionId, externalCalendarId, most: MOST_CALENDARS })
  if (others.length === 0) return null
  const window = { startMs: time.startMs - AROUND_MS, endMs: time.endMs + AROUND_MS }
  const endMs = performance.now() + SEARCH_MS
  return withAccess(deps, connectionId, async (provider, access) => {
    for (const { externalCalendarId, ...calendar } of others) {
      const request = { calendar, cursor: null, window }
      const event = await findIn(provider, access, { request, endMs, appointmentId: id })
      if (event !== null) return { externalCalendarId, event }
    }
    return null
  })
}

type Search = {
  readonly request: Omit<ChangesRequest, 'signal'>
  readonly endMs: number
  readonly appointmentId: string
}

async function findIn(
  provider: CalendarProvider,
  access: CalendarAccess,
  { request, endMs, appointmentId }: Search,
): Promise<ExternalEvent | null> {
  try {
    for await (const { changes } of readInTime(provider, access, request, { endMs })) {
      const found = changes.find(({ event }) => event?.appointmentId?.toLowerCase() === appointmentId)
      if (found?.event) return found.event
    }
    return null
  } catch (error) {
    if (error instanceof CalendarProviderError && !IS_ASKED_AGAIN[error.kind]) return null
    throw error
  }
}

/** Whether another try may be answered. A calendar that can never be read keeps no other change from being followed. */
const IS_ASKED_AGAIN: Record<CalendarErrorKind, boolean> = {
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
