import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addExternalCalendar } from '#tests/support/external-calendar-rows.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { runHousekeeping } from './jobs.ts'

setUpMeridian()

const DAY_MS = 24 * 60 * 60 * 1000

test('whoever is signed in stays so, and a session that has expired is removed', async () => {
  const { db } = meridian.database
  const [here, gone] = [await makeOwner(meridian), await makeOwner(meridian)]
  await meridian.database.execute(
    `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
    [gone.id],
  )
  await runHousekeeping({ db, now: () => meridian.clock.ms })
  const { rows } = await meridian.database.execute('select user_id from sessions')
  expect(rows).toEqual([{ user_id: here.id }])
})

test('a registration that nobody confirmed is forgotten after seven days', async () => {
  const { db } = meridian.database
  const payload = { full_name: 'Ada Lovelace', email: 'forgotten@example.com', password: 'correct horse' }
  const registered = await meridian.post('/api/auth/sign-up', payload)
  expect(registered.statusCode).toBe(200)
  const count = async () => (await db.selectFrom('registrations').select('id').execute()).length
  await runHousekeeping({ db, now: () => meridian.clock.ms + 7 * DAY_MS })
  expect(await count()).toBe(1)
  await runHousekeeping({ db, now: () => meridian.clock.ms + 7 * DAY_MS + 1 })
  expect(await count()).toBe(0)
})

test('a way to a payment provider that was not come back from is removed when its time is up', async () => {
  const { db } = meridian.database
  const owner = await makeOwner(meridian)
  const { id: calendar_id } = await makeCalendar(meridian, owner)
  const { id: session_id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const way = { session_id, calendar_id, provider: 'stripe' } as const
  await db
    .insertInto('payment_connections')
    .values([
      { ...way, state_hash: 'over', expires_at: new Date(meridian.clock.ms - 1) },
      { ...way, state_hash: 'on the way', expires_at: new Date(meridian.clock.ms + 1) },
    ])
    .execute()
  await runHousekeeping({ db, now: () => meridian.clock.ms })
  const left = await db.selectFrom('payment_connections').select('state_hash').execute()
  expect(left).toEqual([{ state_hash: 'on the way' }])
})

test('a key is forgotten after a day, an ended hold, who made no other and what providers told after 30, and nothing else is', async () => {
  const { db } = meridian.database
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  await bookAppointment(meridian, calendar.slug, {}, { 'idempotency-key': randomUUID() })
  const hold = await bookAppointment(meridian, calendar.slug, {
    starts_at: '2027-01-04T10:00:00Z',
    customer: { name: 'Only Held', email: 'only.held@example.com' },
  })
  const holdOfKnown = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T11:00:00Z' })
  const now = new Date(meridian.clock.ms)
  const told = { provider: 'stripe', event_id: 'evt_1', type: 'any', received_at: now } as const
  await db.insertInto('payment_events').values(told).execute()
  await db
    .updateTable('appointments')
    .set({ status: 'pending_payment', hold_expires_at: now, released_at: now })
    .where('id', 'in', [hold.json().id, holdOfKnown.json().id])
    .execute()

  const count = async () => ({
    keys: (await db.selectFrom('idempotency_keys').select('key').execute()).length,
    appointments: (await db.selectFrom('appointments').select('id').execute()).length,
    customers: (await db.selectFrom('customers').select('id').execute()).length,
    events: (await db.selectFrom('payment_events').select('event_id').execute()).length,
  })
  await runHousekeeping({ db, now: () => meridian.clock.ms })
  expect(await count()).toEqual({ keys: 1, appointments: 3, customers: 2, events: 1 })
  await runHousekeeping({ db, now: () => meridian.clock.ms + DAY_MS + 1 })
  expect(await count()).toEqual({ keys: 0, appointments: 3, customers: 2, events: 1 })
  await runHousekeeping({ db, now: () => meridian.clock.ms + 30 * DAY_MS + 1 })
  expect(await count()).toEqual({ keys: 0, appointments: 1, customers: 1, events: 0 })
})

test('a change in an external calendar is listed until its appointment has begun or is cancelled', async () => {
  const { db } = meridian.database
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const { id: external_calendar_id } = await addExternalCalendar(meridian, owner, calendar.id)
  const begun = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-04T08:00:00Z' })
  const cancelled = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-01-04T09:00:00Z',
    status: 'cancelled',
  })
  const upcoming = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-04T10:00:00Z' })
  const change = {
    calendar_id: calendar.id,
    external_calendar_id,
    kind: 'deleted',
    reason: 'many_deletions',
    starts_at: null,
    ends_at: null,
    noticed_at: new Date(meridian.clock.ms),
  } as const
  await db
    .insertInto('external_changes')
    .values(
      [begun, cancelled, upcoming].map((appointment_id) => ({ ...change, id: randomUUID(), appointment_id })),
    )
    .execute()
  await runHousekeeping({ db, now: () => meridian.clock.ms })
  const left = await db.selectFrom('external_changes').select('appointment_id').execute()
  expect(left).toEqual([{ appointment_id: upcoming }])
})

test('what the reader of an address said about emails to it is forgotten after a year', async () => {
  const { db } = meridian.database
  const since = (days: number) => new Date(meridian.clock.ms - days * DAY_MS)
  await db
    .insertInto('email_recipients')
    .values([
      { recipient_key: 'old', standing: 'stopped', since: since(366) },
      { recipient_key: 'recent', standing: 'answered', since: since(364) },
    ])
    .execute()
  await runHousekeeping({ db, now: () => meridian.clock.ms })
  const left = await db.selectFrom('email_recipients').select('recipient_key').execute()
  expect(left).toEqual([{ recipient_key: 'recent' }])
})

test('the embedded database is vacuumed like a server, and a table that has not changed is left alone', async () => {
  const { database, clock } = meridian
  const vacuums = async () => {
    const { rows } = await database.execute(
      `select vacuum_count::integer as count from pg_stat_user_tables where relname = 'calendars'`,
    )
    return rows[0]?.count
  }
  await runHousekeeping({ db: database.db, now: () => clock.ms })
  const before = await vacuums()
  expect(before).toBeGreaterThan(0)
  await runHousekeeping({ db: database.db, now: () => clock.ms })
  expect(await vacuums()).toBe(before)
  for (let i = 0; i < 60; i += 1) await database.execute('update calendars set updated_at = now()')
  // PostgreSQL writes its statistics at most once a second.
  await database.execute('select pg_stat_force_next_flush()')
  await runHousekeeping({ db: database.db, now: () => clock.ms })
  expect(await vacuums()).toBe(Number(before) + 1)
})
