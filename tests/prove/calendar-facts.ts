import type { Interval } from '#core/shared/interval.ts'
import type { Database } from '#server/platform/db/database.ts'
import { readNumber, readRows } from '#tests/support/race-track.ts'
import type { EventThere } from './google-stand-in.ts'

/** A time that is taken in our copy, or by an appointment. */
export type TakenTime = Interval & {
  /** The calendar whose appointment it is; null: an event of somebody else. */
  readonly slug: string | null
}

/** What is in our copy, with the events of appointments, which are busy for the other calendars of their owner (rule G5). */
export async function readCopy(database: Database): Promise<TakenTime[]> {
  const rows = await readRows(
    database,
    `select slug, taken.starts_at, taken.ends_at from external_busy_times as taken
     left join calendars on calendars.id = appointment_calendar_id`,
  )
  return rows.map(toTakenTime)
}

/** Events that a person has there. */
export function toBusy(events: readonly EventThere[]): EventThere[] {
  return events.filter(({ appointmentId, isCancelled }) => appointmentId === null && !isCancelled)
}

/** How old the copy of the oldest external calendar is, in milliseconds. */
export function readCopyAge(database: Database): Promise<number> {
  return readNumber(
    database,
    `select extract(epoch from now() - min(synced_at)) * 1000 from external_calendars
     where id in (select external_calendar_id from used_external_calendars)`,
  )
}

/** Events that are there while the product does not know that they are. */
export async function countLostAnswers(database: Database, events: readonly EventThere[]): Promise<number> {
  const known = await readRows(database, 'select appointment_id from appointment_events')
  const ids = new Set(known.map(({ appointment_id }) => appointment_id))
  return events.filter(({ appointmentId }) => appointmentId !== null && !ids.has(appointmentId)).length
}

/** The times of the appointments that stand. */
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

/** Whether an event stands there at the time of its appointment. */
export function isAsBooked(event: EventThere, stored: ReadonlyMap<string, Interval>): boolean {
  const time = stored.get(event.appointmentId ?? '')
  return !event.isCancelled && event.startMs === time?.startMs && event.endMs === time.endMs
}

function toTakenTime({ slug, starts_at, ends_at }: Record<string, unknown>): TakenTime {
  // Of columns that are instants, and of a text.
  return {
    startMs: (starts_at as Date).getTime(),
    endMs: (ends_at as Date).getTime(),
    slug: slug as string | null,
  }
}
