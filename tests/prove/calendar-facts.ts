import type { Interval } from '#core/shared/interval.ts'
import type { Database } from '#server/platform/db/database.ts'
import { queryNumber, queryRows } from '#tests/support/race-track.ts'
import type { EventAtProvider } from './google-stand-in.ts'

/** A busy time in our copy of external calendars: an appointment of ours, or another event. */
export type BusyTimeInCopy = Interval & {
  /** The slug of the calendar that the appointment belongs to; null for somebody else's event. */
  readonly slug: string | null
}

/**
 * Reads the busy times in our copy, including the events of appointments, which are busy for the owner's other calendars (rule
 * G5).
 */
export async function readStoredBusyTimes(database: Database): Promise<BusyTimeInCopy[]> {
  const rows = await queryRows(
    database,
    `select slug, taken.starts_at, taken.ends_at from external_busy_times as taken
     left join calendars on calendars.id = appointment_calendar_id`,
  )
  return rows.map(toTakenTime)
}

/** The provider's events that a person added and did not cancel. */
export function filterPersonsEvents(events: readonly EventAtProvider[]): EventAtProvider[] {
  return events.filter(({ appointmentId, isCancelled }) => appointmentId === null && !isCancelled)
}

/** The age of the least recently synced external calendar, in milliseconds. */
export function readOldestSyncAge(database: Database): Promise<number> {
  return queryNumber(
    database,
    `select extract(epoch from now() - min(synced_at)) * 1000 from external_calendars
     where id in (select external_calendar_id from used_external_calendars)`,
  )
}

/** Counts the events at the provider that Meridian does not know about. */
export async function countEventsWithLostResponse(
  database: Database,
  events: readonly EventAtProvider[],
): Promise<number> {
  const known = await queryRows(database, 'select appointment_id from appointment_events')
  const ids = new Set(known.map(({ appointment_id }) => appointment_id))
  return events.filter(({ appointmentId }) => appointmentId !== null && !ids.has(appointmentId)).length
}

/** Reads the times of all active appointments. */
export async function readActiveAppointmentTimes(
  database: Database,
  slugs: readonly string[],
): Promise<Map<string, BusyTimeInCopy>> {
  const rows = await queryRows(
    database,
    `select appointments.id, slug, starts_at, ends_at from appointments join calendars on calendars.id = calendar_id
     where slug = any ($1) and appointments.status = 'confirmed'`,
    [slugs],
  )
  return new Map(rows.map((row) => [String(row.id), toTakenTime(row)]))
}

/** True when an event exists at the provider at its appointment's time. */
export function isEventAtBookedTime(event: EventAtProvider, stored: ReadonlyMap<string, Interval>): boolean {
  const time = stored.get(event.appointmentId ?? '')
  return !event.isCancelled && event.startMs === time?.startMs && event.endMs === time.endMs
}

function toTakenTime({ slug, starts_at, ends_at }: Record<string, unknown>): BusyTimeInCopy {
  // The query selects two timestamps and a slug, but its rows have no types.
  return {
    startMs: (starts_at as Date).getTime(),
    endMs: (ends_at as Date).getTime(),
    slug: slug as string | null,
  }
}
