import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'

/** Inserts rows directly, for tests that need records that no operation creates, or very many of them. */

/** Adds an appointment type to the end of the calendar's types: 30 minutes, free, in person. Returns its id. */
export async function addAppointmentType(
  { database }: TestMeridian,
  calendarId: string,
  values: Partial<Insertable<Schema['appointment_types']>> = {},
): Promise<string> {
  const id = randomUUID()
  await database.db
    .insertInto('appointment_types')
    .values({
      calendar_id: calendarId,
      id,
      name: 'Consultation',
      duration: 30,
      description: null,
      color: '#3498db',
      price_cents: null,
      stripe_price_id: null,
      is_online: false,
      location_id: null,
      payment_required: false,
      position: sql`(select count(*) from appointment_types where calendar_id = ${calendarId})`,
      ...values,
    })
    .execute()
  return id
}

/** Adds a physical, exclusive location. Returns its id. */
export async function addLocation(
  { database }: TestMeridian,
  owner: TestOwner,
  values: Partial<Insertable<Schema['locations']>> = {},
): Promise<string> {
  const id = randomUUID()
  await database.db
    .insertInto('locations')
    .values({ id, user_id: owner.id, name: 'Harley Street', address: '12 Harley Street', ...values })
    .execute()
  return id
}

/** Makes the location the calendar's primary location. If another owner has the location, the calendar is allowed to use it. */
export async function setPrimaryLocation(
  { database }: TestMeridian,
  calendarId: string,
  locationId: string,
): Promise<void> {
  await database.db
    .insertInto('calendar_locations')
    .values({ calendar_id: calendarId, id: randomUUID(), location_id: locationId, is_primary: true })
    .execute()
  await database.execute(
    `insert into location_guests (calendar_id, location_id) select calendars.id, locations.id from calendars, locations
     where calendars.id = $1 and locations.id = $2 and calendars.user_id <> locations.user_id`,
    [calendarId, locationId],
  )
}

/** Connects the calendar to Stripe, so that it can take payments. */
export async function connectStripe({ database }: TestMeridian, calendarId: string): Promise<void> {
  await database.db
    .insertInto('payment_settings')
    .values({ calendar_id: calendarId, stripe_connected: true, stripe_account_id: 'acct_test' })
    .execute()
}

export type StoredAppointment = Partial<Insertable<Schema['appointments']>> & {
  /** The start time, as an ISO instant. */
  readonly startsAt: string
  /** The duration; 30 by default. */
  readonly minutes?: number
}

let references = 0

/** Adds confirmed appointments of one customer. Returns their ids in the same order. */
export async function addAppointments(
  { database, clock }: Pick<TestMeridian, 'database' | 'clock'>,
  calendarId: string,
  appointments: readonly StoredAppointment[],
): Promise<string[]> {
  const customerId = randomUUID()
  await database.db
    .insertInto('customers')
    .values({
      calendar_id: calendarId,
      id: customerId,
      client_id: `C${++references}`,
      name: 'Stored Customer',
      email: `stored-${references}@example.com`,
      phone: null,
    })
    .execute()
  const { host_id } = await database.db
    .selectFrom('calendars')
    .select('host_id')
    .where('id', '=', calendarId)
    .executeTakeFirstOrThrow()
  const rows = appointments.map(({ startsAt, minutes = 30, ...values }) => {
    const { prepare_minutes = 0, wrap_up_minutes = 0 } = values
    const starts_at = new Date(startsAt)
    const ends_at = new Date(starts_at.getTime() + minutes * 60_000)
    return {
      calendar_id: calendarId,
      id: randomUUID(),
      host_id,
      booking_reference: `BK-${++references}`,
      customer_id: customerId,
      customer_name: 'Stored Customer',
      customer_phone: null,
      customer_time_zone: null,
      starts_at,
      ends_at,
      time_zone: 'Europe/London',
      blocked: sql<string>`tstzrange(
        ${starts_at}::timestamptz - make_interval(mins => ${prepare_minutes}),
        ${ends_at}::timestamptz + make_interval(mins => ${wrap_up_minutes})
      )`,
      title: 'Stored',
      description: null,
      appointment_type_id: null,
      appointment_type_name: null,
      price_cents: null,
      is_online: false,
      location_id: null,
      location_name: null,
      location_address: null,
      conflict_location_id: null,
      status: 'confirmed' as const,
      payment_status: 'not_required' as const,
      created_at: new Date(clock.ms),
      updated_at: new Date(clock.ms),
      ...values,
    }
  })
  await database.db.insertInto('appointments').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Adds one appointment, like `addAppointments`. */
export async function addAppointment(
  meridian: Pick<TestMeridian, 'database' | 'clock'>,
  calendarId: string,
  appointment: StoredAppointment,
): Promise<string> {
  const [id] = await addAppointments(meridian, calendarId, [appointment])
  if (id === undefined) throw new Error('no appointment was added')
  return id
}

/** Adds a host name of a calendar, in any state. */
export async function addHost(
  { database, clock }: TestMeridian,
  calendarId: string,
  values: Pick<Insertable<Schema['calendar_hosts']>, 'host' | 'kind' | 'state'> &
    Partial<Insertable<Schema['calendar_hosts']>>,
): Promise<string> {
  const id = randomUUID()
  const isProven = values.state !== 'pending'
  await database.db
    .insertInto('calendar_hosts')
    .values({
      id,
      calendar_id: calendarId,
      challenge: values.kind === 'custom' ? `meridian-${id}` : null,
      verified_at: isProven ? new Date(clock.ms) : null,
      last_checked_at: null,
      failing_since: null,
      ...values,
    })
    .execute()
  return id
}
