import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'

/**
 * The test uses data from before the product began to refuse overlaps of one person's appointments. Source: rules T38
 * and T42.
 */
test('calendars get their people, and overlaps stay as they are', { tags: ['slow'] }, async () => {
  const database = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
  await migrate(database.db, undefined, (name) => name < '0043')
  const ada = await addOwner(database, 'Ada Lovelace')
  const plain = await addCalendar(database, ada, [null, null])
  const hers = await addCalendar(database, ada, ['ada', ' LOVELACE '])
  const jon = await addCalendar(database, ada, ['Jon', 'Osei'])
  const jonAgain = await addCalendar(database, ada, ['JON', 'osei'])
  const bea = await addOwner(database, 'Practice of Bea')
  const first = await addCalendar(database, bea, ['Bea', 'Lind'])
  const second = await addCalendar(database, bea, ['bea', 'lind'])

  const long = await addAppointment(database, plain, '09:00', '11:00')
  const inside = await addAppointment(database, hers, '09:30', '10:00')
  const cancelled = await addAppointment(database, hers, '10:00', '10:30', 'cancelled')
  const touching = await addAppointment(database, hers, '11:00', '12:00')
  const elsewhere = await addAppointment(database, jon, '09:30', '10:00')

  await migrate(database.db)

  const calendars = await database.db
    .selectFrom('calendars')
    .innerJoin('hosts', 'hosts.id', 'calendars.host_id')
    .select(['calendars.id', 'hosts.id as person', 'hosts.name', 'hosts.user_id'])
    .execute()
  const personOf = new Map(calendars.map((row) => [row.id, row.person]))
  expect([plain, hers].map((id) => personOf.get(id))).toEqual([ada, ada])
  expect([first, second].map((id) => personOf.get(id))).toEqual([bea, bea])
  expect(personOf.get(jonAgain)).toBe(personOf.get(jon))
  expect(calendars.find(({ id }) => id === jon)).toMatchObject({
    user_id: ada,
    name: expect.stringMatching(/jon/i),
  })
  expect(await database.db.selectFrom('hosts').select('id').execute()).toHaveLength(3)

  const appointments = await database.db
    .selectFrom('appointments')
    .select(['id', 'calendar_id', 'host_id', 'allows_overlap'])
    .execute()
  expect(appointments.filter((row) => row.host_id !== personOf.get(row.calendar_id))).toEqual([])
  expect(appointments.filter((row) => row.allows_overlap).map(({ id }) => id)).toEqual([inside])
  expect(appointments.map(({ id }) => id).sort()).toEqual(
    [long, inside, cancelled, touching, elsewhere].sort(),
  )
  await database.close()
})

async function addOwner(database: Database, name: string): Promise<string> {
  const id = randomUUID()
  const values = [id, `${id}@example.com`, name]
  await database.execute('insert into profiles (id, email, full_name) values ($1, $2, $3)', values)
  return id
}

async function addCalendar(
  database: Database,
  ownerId: string,
  [first, last]: readonly [string | null, string | null],
): Promise<string> {
  const id = randomUUID()
  await database.execute('insert into public_calendars (slug) values ($1)', [id])
  await database.execute(
    `insert into calendars (id, user_id, slug, name, professional_first_name, professional_last_name)
     values ($1::uuid, $2, $1::text, 'Practice', $3, $4)`,
    [id, ownerId, first, last],
  )
  await database.execute(
    `insert into customers (calendar_id, id, client_id, name) values ($1, gen_random_uuid(), 'C1', 'Grace')`,
    [id],
  )
  return id
}

async function addAppointment(
  database: Database,
  calendarId: string,
  from: string,
  until: string,
  status = 'confirmed',
): Promise<string> {
  const id = randomUUID()
  const [startsAt, endsAt] = [from, until].map((time) => `2027-01-04T${time}:00Z`)
  await database.execute(
    `insert into appointments (calendar_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at, time_zone,
       blocked, title, status, payment_status)
     select $1::uuid, $2::uuid, 'BK-' || $2::text, customers.id, 'Grace', $3::timestamptz, $4::timestamptz, 'UTC',
       tstzrange($3, $4), 'Stored', $5, 'not_required'
     from customers where calendar_id = $1`,
    [calendarId, id, startsAt, endsAt, status],
  )
  return id
}
