import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SyncConfirmationReason } from '#core/external-calendars/external-change.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { CAN_HAVE_EVENT_SQL } from '#server/records/appointments/outbox-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/** A change in an external calendar that waits for the owner's decision. */
export type PendingChange = {
  readonly externalCalendarId: string
  readonly reason: SyncConfirmationReason
  /** The new time of the event; null when the event was deleted. */
  readonly time: Interval | null
  readonly noticedAt: Date
}

/** Stores a change for the owner to decide. A later change of the same appointment replaces it. */
export async function saveExternalChange(
  db: Db,
  { calendarId, id }: AppointmentKey,
  change: PendingChange,
): Promise<void> {
  const { externalCalendarId, reason, time, noticedAt } = change
  const values = {
    external_calendar_id: externalCalendarId,
    kind: time === null ? ('deleted' as const) : ('moved' as const),
    reason,
    starts_at: time === null ? null : new Date(time.startMs),
    ends_at: time === null ? null : new Date(time.endMs),
    noticed_at: noticedAt,
  }
  await db
    .insertInto('external_changes')
    .values({ calendar_id: calendarId, id: randomUUID(), appointment_id: id, ...values })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'appointment_id']).doUpdateSet(values))
    .execute()
}

/** Deletes the pending change of an appointment, because it was decided or is no longer relevant. */
export async function deleteExternalChanges(db: Db, { calendarId, id }: AppointmentKey): Promise<void> {
  await db
    .deleteFrom('external_changes')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .execute()
}

const PEOPLE_IN_SESSION = sql`(
  select count(*)::integer from appointments as seats
  where seats.calendar_id = appointments.calendar_id and seats.session_id = appointments.session_id
    and ${sql.raw(CAN_HAVE_EVENT_SQL)}
)`

/**
 * SQL that is true unless the appointment has left the session whose event it still has. The next seat is about to take over the
 * event with its change.
 */
const HAS_LEFT_NO_SESSION = sql<boolean>`not exists (
  select from appointment_events as written
  where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
    and written.session_id is distinct from appointments.session_id
)`

/** Lists the pending changes of upcoming appointments on one of the owner's calendars, the nearest first. */
export function listStoredChanges(db: Db, ownerId: OwnerId, calendarId: string, now: Date) {
  return (
    db
      .selectFrom('external_changes as change')
      .innerJoin('calendars', 'calendars.id', 'change.calendar_id')
      .innerJoin('appointments', (join) =>
        join
          .onRef('appointments.calendar_id', '=', 'change.calendar_id')
          .onRef('appointments.id', '=', 'change.appointment_id'),
      )
      .select([
        'change.id',
        'change.appointment_id',
        'change.kind',
        'change.reason',
        'change.starts_at',
        'change.ends_at',
        'change.noticed_at',
        'appointments.customer_name',
        sql<string>`case when session_id is null then title else coalesce(appointment_type_name, title) end`.as(
          'title',
        ),
        sql<number | null>`case when session_id is not null then ${PEOPLE_IN_SESSION} end`.as('people'),
        'appointments.starts_at as appointment_starts_at',
        'appointments.ends_at as appointment_ends_at',
      ])
      .where('calendars.user_id', '=', ownerId)
      .where('change.calendar_id', '=', calendarId)
      .where(HAS_LEFT_NO_SESSION)
      .where('appointments.status', '<>', 'cancelled')
      .where('appointments.starts_at', '>', now)
      .orderBy('appointments.starts_at')
      .orderBy('change.id')
      // Maximum number of changes listed: more than anybody decides at once. The rest is listed afterwards.
      .limit(500)
      .execute()
  )
}

/** Counts the appointments that have been cancelled or moved since then because their event was deleted or moved. */
export async function countAppliedChanges(
  db: Db,
  {
    calendarIds,
    kind,
    since,
  }: { readonly calendarIds: readonly string[]; readonly kind: 'cancelled' | 'moved'; readonly since: Date },
): Promise<number> {
  if (calendarIds.length === 0) return 0
  const { count } = await db
    .selectFrom('appointment_history')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('calendar_id', 'in', calendarIds)
    .where('kind', '=', kind)
    .where('caused_by', '=', 'external_calendar')
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * True when our copy of an external calendar contains any event besides our appointments. Events seen only by an
 * earlier full sync do not count while a new one is finishing.
 */
export async function hasOtherBusyTimes(db: Db, externalCalendarId: string): Promise<boolean> {
  const row = await db
    .selectFrom('external_calendars as external')
    .innerJoin('external_busy_times as taken', (join) =>
      join
        .onRef('taken.external_calendar_id', '=', 'external.id')
        .onRef('taken.generation', '=', 'external.generation'),
    )
    .select('taken.event_id')
    .where('external.id', '=', externalCalendarId)
    .where('taken.appointment_calendar_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
