import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
} from '#server/ports/external-calendar.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { EVENT_REMOVAL_JOB, type EventRemovalJob } from './job-definitions.ts'
import {
  type EventCalendar,
  listUpcomingEventsOfCalendar,
  type StoredAppointmentEvent,
} from './repository.ts'

/** Number of removal jobs per insert. */
const QUEUED_AT_ONCE = 500

/**
 * Queues the removal of the events of a calendar's upcoming appointments, before the calendar is deleted. The jobs
 * contain all data they need, because the rows are deleted. Source: rule C9.
 */
export async function queueEventRemovals(
  deps: Pick<AppointmentEventsDeps, 'jobs' | 'now'>,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const events = await listUpcomingEventsOfCalendar(trx, calendarId, new Date(deps.now()))
  for (let from = 0; from < events.length; from += QUEUED_AT_ONCE) {
    await deps.jobs.insert(trx, EVENT_REMOVAL_JOB, events.slice(from, from + QUEUED_AT_ONCE))
  }
}

/** Queues the removal of an event that was written while its calendar was being deleted. Source: rule C9. */
export function queueEventRemoval(
  deps: Pick<AppointmentEventsDeps, 'jobs'>,
  trx: Trx,
  { connectionId, externalId }: EventCalendar,
  { eventRef }: { readonly eventRef: string },
): Promise<void> {
  return deps.jobs.insert(trx, EVENT_REMOVAL_JOB, [{ connectionId, externalId, eventRef }])
}

/** Removes one event. Throws when the provider cannot be reached, so that the job is retried. */
export async function removeLeftoverEvent(deps: AppointmentEventsDeps, job: EventRemovalJob): Promise<void> {
  const { connectionId, externalId, eventRef } = job
  try {
    await withProviderAccess(deps, connectionId, async ({ events }, access) => {
      if (events !== null) await removeEvent({ events, access }, { externalId, eventRef })
    })
  } catch (error) {
    // Ignore this error: the account was disconnected, or the calendar was deleted at the provider too.
    if (!(error instanceof CalendarProviderError && error.kind === 'gone')) throw error
  }
}

export type EventAccess = {
  readonly events: NonNullable<CalendarProvider['events']>
  readonly access: CalendarAccess
}

/** Removes an event even if it was changed later, because a cancelled appointment has no event. */
export async function removeEvent(
  { events, access }: EventAccess,
  { externalId, eventRef }: Pick<StoredAppointmentEvent, 'externalId' | 'eventRef'>,
): Promise<void> {
  await events.remove(access, { externalId, eventRef, etag: null })
}
