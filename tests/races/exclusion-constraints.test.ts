import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'

/** Tests the guarantees of the database's constraints alone, with a client that takes none of Meridian's locks. */

const PLACE = randomUUID()
let url: string
let one: pg.Client
let other: pg.Client

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'))
  const database = await openDatabase({ url, dataDir: 'not used', poolSize: 1 })
  await migrate(database.db)
  await database.close()
  one = await connect()
  other = await connect()
})
afterAll(async () => {
  await one.end()
  await other.end()
})

test('of two transactions that take overlapping times of a calendar, the second one fails with 23P01', async () => {
  const calendarId = await makeCalendar()
  const refusal = await race(
    { calendarId, from: '09:00', until: '10:00' },
    { calendarId, from: '09:30', until: '10:30' },
  )
  expect(refusal).toEqual({ code: '23P01', constraint: 'appointments_no_double_booking' })
})

test('of two calendars that take overlapping times at an exclusive place, the second one fails with 23P01', async () => {
  const [calendarId, otherId] = [await makeCalendar(), await makeCalendar()]
  const refusal = await race(
    { calendarId, from: '09:00', until: '10:00', placeId: PLACE },
    { calendarId: otherId, from: '09:59', until: '10:30', placeId: PLACE },
  )
  expect(refusal).toEqual({ code: '23P01', constraint: 'appointments_no_location_conflict' })
})

test('of two calendars of one person that take overlapping times, the second one fails with 23P01', async () => {
  const calendarId = await makeCalendar()
  const otherId = await makeCalendar(calendarId)
  const refusal = await race(
    { calendarId, from: '09:00', until: '10:00', bufferMinutes: 60 },
    { calendarId: otherId, from: '09:59', until: '10:30' },
  )
  expect(refusal).toEqual({ code: '23P01', constraint: 'appointments_no_person_conflict' })
  // The constraint ignores the buffer.
  expect(await insert(one, { calendarId: otherId, from: '10:00', until: '11:00' })).toBeNull()
  // The constraint ignores appointments that were allowed to overlap.
  await one.query('update appointments set allows_overlap = true where calendar_id = $1', [calendarId])
  expect(await insert(one, { calendarId: otherId, from: '09:00', until: '10:00' })).toBeNull()
})

test('times that only touch are both kept, on a calendar and at a place', async () => {
  const [calendarId, otherId, placeId] = [await makeCalendar(), await makeCalendar(), randomUUID()]
  expect(
    await race(
      { calendarId, from: '09:00', until: '10:00', placeId },
      { calendarId, from: '10:00', until: '11:00', placeId },
    ),
  ).toBeNull()
  expect(await insert(one, { calendarId: otherId, from: '08:00', until: '09:00', placeId })).toBeNull()
})

test('the buffer is kept free on either side', async () => {
  const calendarId = await makeCalendar()
  const buffered = { calendarId, bufferMinutes: 15 }
  expect(await insert(one, { ...buffered, from: '12:00', until: '13:00' })).toBeNull()
  const refused = { code: '23P01', constraint: 'appointments_no_double_booking' }
  expect(
    await race(
      { ...buffered, from: '09:00', until: '10:00' },
      { ...buffered, from: '10:14', until: '10:30' },
    ),
  ).toEqual(refused)
  expect(await insert(one, { ...buffered, from: '11:00', until: '11:46' })).toEqual(refused)
  expect(await insert(one, { ...buffered, from: '13:14', until: '13:30' })).toEqual(refused)
  expect(await insert(one, { ...buffered, from: '11:00', until: '11:45' })).toBeNull()
  expect(await insert(one, { ...buffered, from: '13:15', until: '13:30' })).toBeNull()
})

test('preparation and wrap-up are kept free on a calendar, at a place and for a person', async () => {
  const [calendarId, placeId] = [await makeCalendar(), randomUUID()]
  const [besideId, otherId] = [await makeCalendar(calendarId), await makeCalendar()]
  const first = { calendarId, from: '09:00', until: '10:00', wrapUpMinutes: 15, placeId }
  const second = { from: '10:30', until: '11:00', prepareMinutes: 20 }
  expect(await race(first, { ...second, calendarId })).toEqual({
    code: '23P01',
    constraint: 'appointments_no_double_booking',
  })
  expect(await insert(other, { ...second, calendarId: besideId })).toEqual({
    code: '23P01',
    constraint: 'appointments_no_person_conflict',
  })
  expect(await insert(other, { ...second, calendarId: otherId, placeId })).toEqual({
    code: '23P01',
    constraint: 'appointments_no_location_conflict',
  })
  expect(await insert(other, { ...second, calendarId: besideId, prepareMinutes: 15, placeId })).toBeNull()
})

test('the buffer of one calendar does not reach the other calendars of a place', async () => {
  const [calendarId, otherId, placeId] = [await makeCalendar(), await makeCalendar(), randomUUID()]
  expect(
    await race(
      { calendarId, from: '09:00', until: '10:00', bufferMinutes: 60, placeId },
      { calendarId: otherId, from: '10:00', until: '11:00', placeId },
    ),
  ).toBeNull()
})

test('a cancelled appointment and an ended hold give their time back, and cannot be revived into a taken one', async () => {
  const calendarId = await makeCalendar()
  const time = { calendarId, from: '09:00', until: '10:00' }
  expect(await insert(one, { ...time, status: 'cancelled' })).toBeNull()
  expect(await insert(one, { ...time, status: 'pending_payment', released: true })).toBeNull()
  expect(await insert(one, time)).toBeNull()
  for (const revival of [
    `set status = 'confirmed' where status = 'cancelled'`,
    `set released_at = null where released_at is not null`,
  ]) {
    expect(await attempt(one, `update appointments ${revival} and calendar_id = $1`, [calendarId])).toEqual({
      code: '23P01',
      constraint: 'appointments_no_double_booking',
    })
  }
})

type Row = {
  readonly calendarId: string
  /** Time of day on one date, in UTC. */
  readonly from: string
  readonly until: string
  readonly prepareMinutes?: number
  readonly wrapUpMinutes?: number
  readonly bufferMinutes?: number
  readonly placeId?: string
  readonly status?: 'confirmed' | 'cancelled' | 'pending_payment'
  readonly released?: boolean
}

type Refusal = { readonly code: unknown; readonly constraint: unknown }

/** Inserts `first`, then inserts `second` from another session before the first commits. Returns the second insert's refusal. */
async function race(first: Row, second: Row): Promise<Refusal | null> {
  await one.query('begin')
  expect(await insert(one, first)).toBeNull()
  const following = insert(other, second)
  // The second insert either waits for the first to end, or has already succeeded.
  await Promise.race([following, new Promise((resolve) => setTimeout(resolve, 100))])
  await one.query('commit')
  return following
}

function insert(client: pg.Client, row: Row): Promise<Refusal | null> {
  return attempt(
    client,
    `insert into appointments (
       calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at, time_zone, blocked, title,
       conflict_location_id, status, payment_status, hold_expires_at, released_at, prepare_minutes, wrap_up_minutes
     )
     select $1, calendars.host_id, $2, $3, customers.id, 'Grace', day + $4::interval, day + $5::interval, 'UTC',
       tstzrange(
         day + $4::interval - make_interval(mins => $10), day + $5::interval + make_interval(mins => $11 + $6::integer)
       ), 'Appointment', $7, $8, 'not_required', case when $9 then now() end, case when $9 then now() end,
       $10::integer, $11::integer
     from customers join calendars on calendars.id = customers.calendar_id,
       (select timestamptz '2027-01-04T00:00:00Z' as day) as days
     where customers.calendar_id = $1`,
    [
      row.calendarId,
      randomUUID(),
      `BK-${randomUUID()}`,
      row.from,
      row.until,
      row.bufferMinutes ?? 0,
      row.placeId ?? null,
      row.status ?? 'confirmed',
      row.released ?? false,
      row.prepareMinutes ?? 0,
      row.wrapUpMinutes ?? 0,
    ],
  )
}

async function attempt(client: pg.Client, text: string, values: unknown[]): Promise<Refusal | null> {
  try {
    await client.query(text, values)
    return null
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    return { code: error.code, constraint: error.constraint }
  }
}

/** Makes a calendar with one customer. It belongs to the same person as `beside`, if given. */
async function makeCalendar(beside?: string): Promise<string> {
  const calendarId = randomUUID()
  const ownerId = beside === undefined ? await makeOwner() : await findOwner(beside)
  const slug = `practice-${calendarId}`
  await one.query('insert into public_calendars (slug) values ($1)', [slug])
  await one.query(
    `insert into calendars (id, user_id, host_id, slug, name) values ($1, $2, $2, $3, 'Practice')`,
    [calendarId, ownerId, slug],
  )
  await one.query(
    `insert into customers (calendar_id, id, client_id, name, email) values ($1, $2, 'C1', 'Grace', 'grace@example.com')`,
    [calendarId, randomUUID()],
  )
  return calendarId
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function makeOwner(): Promise<string> {
  const id = randomUUID()
  const values = [id, `${id}@example.com`]
  await one.query(`insert into profiles (id, email, full_name) values ($1, $2, 'Ada')`, values)
  return id
}

async function findOwner(calendarId: string): Promise<string> {
  const { rows } = await one.query('select user_id from calendars where id = $1', [calendarId])
  return rows[0].user_id
}
