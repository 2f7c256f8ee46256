import { sql } from 'kysely'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInCalendars } from '#server/platform/db/in-calendars.ts'
import { toEventKey } from './to-event-key.ts'

/** Maximum number of events in one response. */
const LISTED = 5_000

/**
 * Lists the events that overlap an interval, in order. They are in external calendars that one of the calendars uses or
 * that another calendar of its person reads. Events of the calendars' own appointments are left out. Source: rule G31.
 */
export async function listOverlappingEvents(db: Db, calendarIds: readonly string[], during: Interval) {
  return db
    .selectFrom('external_calendars as external')
    .innerJoin('external_busy_times as taken', 'taken.external_calendar_id', 'external.id')
    .select([
      'external.id as external_calendar_id',
      'external.name',
      'external.color',
      'taken.title',
      'taken.starts_at',
      'taken.ends_at',
      'taken.is_all_day',
    ])
    .where((row) =>
      row.or([
        row(
          'external.id',
          'in',
          row
            .selectFrom('used_external_calendars')
            .select('external_calendar_id')
            .where(isInCalendars(sql`calendar_id`, calendarIds)),
        ),
        row(
          'external.id',
          'in',
          row
            .selectFrom('calendars as own')
            .innerJoin('calendars as reader', 'reader.host_id', 'own.host_id')
            .innerJoin('used_external_calendars as used', 'used.calendar_id', 'reader.id')
            .select('used.external_calendar_id')
            .where(isInCalendars(sql`own.id`, calendarIds))
            .where('used.reads_busy_times', '=', true),
        ),
      ]),
    )
    .where(
      sql<boolean>`(taken.appointment_calendar_id is null or not ${isInCalendars(sql`taken.appointment_calendar_id`, calendarIds)})`,
    )
    .where('taken.starts_at', '<', new Date(during.endMs))
    .where('taken.ends_at', '>', new Date(during.startMs))
    .orderBy('taken.starts_at')
    .orderBy('taken.event_id')
    .limit(LISTED)
    .execute()
}

/**
 * Marks a busy time as belonging to an appointment, so that it no longer blocks the appointment's own calendar. Source:
 * rule G5.
 */
export async function markBusyTimeAsAppointment(
  db: Db,
  held: {
    readonly externalCalendarId: string
    readonly eventId: string
    readonly calendarId: string
    readonly time: Interval
  },
): Promise<void> {
  await db
    .updateTable('external_busy_times')
    .set({ appointment_calendar_id: held.calendarId })
    .where('external_calendar_id', '=', held.externalCalendarId)
    .where('event_id', '=', toEventKey(held.eventId))
    .where('starts_at', '>=', new Date(held.time.startMs))
    .where('ends_at', '<=', new Date(held.time.endMs))
    .execute()
}
