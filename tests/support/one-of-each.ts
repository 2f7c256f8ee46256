import { randomUUID } from 'node:crypto'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { addExternalCalendar } from './external-calendar-rows.ts'
import { makeCalendar, makeOwner, type TestMeridian, type TestOwner } from './meridian.ts'
import { addAppointment, addAppointmentType, addLocation } from './stored-rows.ts'

export type OneRecordOfEachKind = {
  readonly owner: TestOwner
  readonly calendar: Calendar
  /** Another calendar of the same person, for tests in which requests about one calendar affect the other. */
  readonly other: Calendar
  /** The id of an existing record, by the name that parameters and fields use for it. */
  readonly ids: Readonly<Record<string, string>>
}

/**
 * Makes an owner with one record of every kind that has an id. Add each new kind of record here: every operation on it is then
 * tried with another owner's record.
 */
export async function makeOneRecordOfEachKind(meridian: TestMeridian): Promise<OneRecordOfEachKind> {
  const { db } = meridian.database
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, { person_name: '' })
  const other = await makeCalendar(meridian, owner, { person_name: '' })
  await addAppointment(meridian, other.id, { startsAt: '2027-01-05T10:00:00Z', title: 'Confidential matter' })
  const type_id = await addAppointmentType(meridian, calendar.id)
  const location_id = await addLocation(meridian, owner, { name: 'Private Rooms', address: '1 Secret Lane' })
  const calendar_location_id = randomUUID()
  await db
    .insertInto('calendar_locations')
    .values({ calendar_id: calendar.id, id: calendar_location_id, location_id, is_primary: true })
    .execute()
  const appointment_id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-01-05T09:00:00Z',
    appointment_type_id: type_id,
    appointment_type_name: 'Consultation',
    title: 'Confidential matter',
  })
  const series_id = randomUUID()
  await db
    .insertInto('series')
    .values({
      calendar_id: calendar.id,
      id: series_id,
      every_weeks: 1,
      first_date: '2027-01-05',
      local_time: '09:00',
      planned: 2,
      is_standing: false,
      overridden: [],
      created_at: new Date(meridian.clock.ms),
    })
    .execute()
  const { id: message_id } = await db
    .insertInto('appointment_messages')
    .values({
      calendar_id: calendar.id,
      appointment_id,
      kind: 'booking_confirmation',
      recipient: 'customer',
      occasion: 'booked',
      sequence: 0,
      state: 'sent',
      changed_at: new Date(meridian.clock.ms),
      created_at: new Date(meridian.clock.ms),
      updated_at: new Date(meridian.clock.ms),
      sent_at: new Date(meridian.clock.ms),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { customer_id } = await db
    .selectFrom('appointments')
    .select('customer_id')
    .where('id', '=', appointment_id)
    .executeTakeFirstOrThrow()
  const { id: availability_id } = await db
    .selectFrom('availability')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .orderBy('day_of_week')
    .executeTakeFirstOrThrow()
  const { id: session_id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const { id: entry_id } = await db
    .insertInto('waiting_entries')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      state: 'waiting',
      added_by: 'owner',
      customer_name: 'Confidential customer',
      customer_email: 'confidential@example.com',
      customer_phone: null,
      customer_time_zone: null,
      appointment_type_id: type_id,
      appointment_type_name: 'Consultation',
      time_zone: 'Europe/London',
      from_date: '2027-01-05',
      to_date: '2027-01-08',
      weekdays: [2],
      day_parts: ['morning'],
      created_at: new Date(meridian.clock.ms),
      joined_at: new Date(meridian.clock.ms),
      valid_until: new Date('2027-01-09T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: change_id } = await db
    .insertInto('many_changes')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      kind: 'offer',
      first_date: '2027-01-06',
      last_date: '2027-01-06',
      message: 'Confidential reason',
      refund: 'all',
      created_at: new Date(meridian.clock.ms),
      finished_at: new Date(meridian.clock.ms),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: special_days_id } = await db
    .insertInto('special_days')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      first_date: '2027-02-01',
      last_date: '2027-02-05',
      note: 'Confidential plans',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('special_hours')
    .values({
      calendar_id: calendar.id,
      id: randomUUID(),
      special_days_id,
      start_time: '10:00',
      end_time: '12:00',
    })
    .execute()
  await db
    .insertInto('holiday_regions')
    .values({ calendar_id: calendar.id, country: 'GB', region: 'ENG' })
    .execute()
  await db.insertInto('holiday_choices').values({ calendar_id: calendar.id, date: '2027-03-26' }).execute()
  // CalDAV, because connecting it changes nothing about the calendar itself.
  // Due tomorrow, so that the periodic sync does not change it.
  const next_sync_at = new Date(meridian.clock.ms + DAY_MS)
  const connection = { provider: 'caldav', next_sync_at } as const
  const external = await addExternalCalendar(meridian, owner, calendar.id, { connection })
  const ids = {
    calendar_id: calendar.id,
    connection_id: external.connectionId,
    reads: external.id,
    writes: external.id,
    type_id,
    appointment_type_id: type_id,
    location_id,
    calendar_location_id,
    appointment_id,
    message_id,
    series_id,
    customer_id,
    availability_id,
    session_id,
    entry_id,
    change_id,
    special_days_id,
    person_id: calendar.person.id,
  }
  return { owner, calendar, other, ids }
}

/** Returns every stored row about this owner as text, except for columns that change with ordinary use. */
export async function readStoredRowsOfOwner(
  { database }: TestMeridian,
  { owner, ids }: Pick<OneRecordOfEachKind, 'owner' | 'ids'>,
): Promise<string[]> {
  const keys = [owner.id, ...Object.values(ids)]
  const { rows: tables } = await database.execute(
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('rate_limits', 'verifications')`,
  )
  const found: string[] = []
  for (const { table_name } of tables as { table_name: string }[]) {
    // Sessions record their last use in this column.
    const { rows } = await database.execute(
      `select (to_jsonb(t) - case when $1 = 'sessions' then 'updated_at' else '' end)::text as row from "${table_name}" t`,
      [table_name],
    )
    for (const { row } of rows as { row: string }[]) {
      if (keys.some((key) => row.includes(key))) found.push(`${table_name} ${row}`)
    }
  }
  return found.sort()
}
