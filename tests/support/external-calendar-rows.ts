import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'

/** Inserts rows of external calendars for tests of the code that reads them. */

export type StoredExternalCalendar = { readonly id: string; readonly connectionId: string }

/** Adds an external calendar that `calendarId` reads and that was last checked just now. */
export async function addExternalCalendar(
  { database, clock }: TestMeridian,
  owner: Pick<TestOwner, 'id'>,
  calendarId: string,
  values: {
    readonly connection?: Partial<Insertable<Schema['calendar_connections']>>
    readonly calendar?: Partial<Insertable<Schema['external_calendars']>>
    readonly used?: Partial<Insertable<Schema['used_external_calendars']>>
  } = {},
): Promise<StoredExternalCalendar> {
  const [connectionId, id] = [randomUUID(), randomUUID()]
  await database.db
    .insertInto('calendar_connections')
    .values({
      id: connectionId,
      user_id: owner.id,
      provider: 'google',
      account_id: connectionId,
      account_name: 'grace@example.com',
      credentials_encrypted: Buffer.from('sealed'),
      problem: null,
      last_success_at: new Date(clock.ms),
      expiry_told_at: null,
      reconnected_at: null,
      ...values.connection,
    })
    .execute()
  await database.db
    .insertInto('external_calendars')
    .values({
      id,
      connection_id: connectionId,
      external_id: 'grace@example.com',
      name: 'Private',
      color: null,
      time_zone: 'Europe/London',
      sync_cursor: null,
      synced_at: new Date(clock.ms),
      synced_until: null,
      ...values.calendar,
    })
    .execute()
  await database.db
    .insertInto('used_external_calendars')
    .values({ calendar_id: calendarId, external_calendar_id: id, reads_busy_times: true, ...values.used })
    .execute()
  return { id, connectionId }
}

/** Adds a busy time to our copy of an external calendar. Instants are RFC 3339. */
export async function addExternalEvent(
  { database }: TestMeridian,
  externalCalendarId: string,
  event: {
    readonly startsAt: string
    readonly endsAt: string
    readonly title?: string
    readonly appointmentCalendarId?: string
  },
): Promise<void> {
  await database.db
    .insertInto('external_busy_times')
    .values({
      external_calendar_id: externalCalendarId,
      event_id: randomUUID(),
      starts_at: new Date(event.startsAt),
      ends_at: new Date(event.endsAt),
      title: event.title ?? null,
      generation: 0,
      appointment_calendar_id: event.appointmentCalendarId ?? null,
    })
    .execute()
}
