import type { Interval } from '#core/shared/interval.ts'
import type { Database } from '#server/platform/db/database.ts'
import { readNumber, readRows } from '#tests/support/race-track.ts'
import type { EventThere } from './google-stand-in.ts'

/** A busy time in our copy of external calendars: an appointment of ours, or another event. */
export type TakenTime = Interval & {
  /** The slug of the calendar that the appointment belongs to; null for somebody else's event. */
  readonly slug: string | null
}

/**
 * Reads the busy times in our copy, including the events of appointments, which are busy for the owner's other calendars (rule
 * G5).
 */
export async function readCopy(database: Database): Promise<TakenTime[]> {
  const rows = await readRows(
    database,
    `select slug, taken.starts_at, taken.ends_at from external_busy_times as taken
     left join calendars on calendars.id = appointment_calendar_id`,
  )
  return rows.map(toTakenTime)
}

/** The provider's events that a person added and did not cancel. */
export function toBusy(events: readonly EventThere[]): EventThere[] {
  return events.filter(({ appointmentId, isCancelled }) => appointmentId === null && !isCancelled)
}

/** The age of the least recently synced external calendar, in milliseconds. */
export function readCopyAge(database: Database): Promise<number> {
  return readNumber(
    database,
    `select extract(epoch from now() - min(synced_at)) * 1000 from external_calendars
     where id in (select external_calendar_id from used_external_calendars)`,
  )
}

/** Counts the events at the provider that the product does not know about. */
export async function countLostAnswers(database: Database, events: readonly EventThere[]): Promise<number> {
  const known = await readRows(database, 'select appointment_id from appointment_events')
  const ids = new Set(known.map(({ appointment_id }) => appointment_id))
  return events.filter(({ appointmentId }) => appointmentId !== null && !ids.has(appointmentId)).length
}

/** Reads the times of all active appointments. */
export async function readAppointments(
  database: Database,
  slugs: readonly string[],
): Promise<Map<string, TakenTime>> {
  const rows = await readRows(
    database,
    `select appointments.id, slug, starts_at, ends_at from appointments join calendars on calendars.id = calendar_id
     where slug = any ($1) and appointments.status = 'confirmed'`,
    [slugs],
  )
  return new Map(rows.map((row) => [String(row.id), toTakenTime(row)]))
}

/** True when an event exists at the provider at its appointment's time. */
export function isAsBooked(event: EventThere, stored: ReadonlyMap<string, Interval>): boolean {
  const time = stored.get(event.appointmentId ?? '')
  return !event.isCancelled && event.startMs === time?.startMs && event.endMs === time.endMs
}

function toTakenTime({ slug, starts_at, ends_at }: Record<string, unknown>): TakenTime {
  // The columns contain timestamps and a slug.
  return {
    startMs: (starts_at as Date).getTime(),
    endMs: (ends_at as Date).getTime(),
    slug: slug as string | null,
  }
}
