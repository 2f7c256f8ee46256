import { test } from 'vitest'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { recordQueries } from '#tests/support/record-queries.ts'
import { uuidOf } from '#tests/support/uuid-of.ts'
import { findCustomersPage } from '#server/areas/customers/repository.ts'
import { findAppointmentPage } from './find-appointment-page.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })

test('measure', { timeout: 900_000 }, async () => {
  const ids: string[] = []
  const { database } = meridian
  for (let c = 0; c < 30; c++) {
    const { id } = await makeCalendar(meridian, owner)
    ids.push(id)
    await database.execute(
      `insert into customers (calendar_id, id, client_id, name, email)
     select $1::uuid, ${uuidOf('$1::uuid::text || i')}, 'C' || i, md5(i::text || $1::uuid::text), 'p' || i || '@example.com'
     from generate_series(0, 4999) as i`, [id])
    for (let first = 0; first < 5000; first += 1000)
    await database.execute(
    `insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at,
       time_zone, blocked, title, status, payment_status)
     select $1::uuid, (select host_id from calendars where calendars.id = $1::uuid), gen_random_uuid(), 'BK-' || (900000000 + i * 1000), ${uuidOf('$1::uuid::text || i')},
       case when i % 10 = 0 then 'Other' else 'Many person ' || i / 2 end, s, s + interval '10 minutes', 'UTC',
       tstzrange(s, s + interval '10 minutes'), 'Stored', 'confirmed', 'not_required'
     from generate_series($2::integer, $2::integer + 999) as i
     cross join lateral
       (select timestamptz '2027-01-04T00:00Z' + (i - 4000) * interval '2 hours' as s) as time`,
      [id, first])
  }
  for (const t of ['appointments','appointment_people','appointment_days','customers']) await database.execute('analyze ' + t)
  const scope = { ownerId: owner.id as OwnerId, calendarIds: ids, todayStartsAt: new Date('2027-01-04'), phoneTimeZone: 'Europe/London' }
  const explain = async (name: string, run: (db: typeof database.db) => Promise<unknown>, full = true) => {
    for (let i = 0; i < 2; i++) await run(database.db)
    const began = performance.now()
    await run(database.db)
    console.log('###', name, (performance.now() - began).toFixed(0), 'ms')
    if (!full) return
    const recorded = recordQueries(database.db)
    await run(recorded.db as typeof database.db)
    for (const { sql, parameters } of recorded.queries) {
      const { rows } = await database.execute(`explain (analyze, timing off, summary on) ${sql}`, parameters)
      console.log(rows.map((row) => row['QUERY PLAN']).join('\n').slice(0, 3500))
    }
  }
  const page = (filter: 'upcoming'|'past'|'all', search: string, p: number) => (db: typeof database.db) => findAppointmentPage(db, scope, { filter, search, page: p, size: 10 })
  await explain('list upcoming p1', page('upcoming', '', 1))
  await explain('list all p7000', page('all', '', 7000), false)
  await explain('search other (much) p1', page('upcoming', 'other', 1))
  await explain('search other all p700', page('all', 'other', 700), false)
  await explain('search person 77', page('upcoming', 'person 777', 1), false)
  const get = (url: string) => async () => { const r = await owner.get(url); if (r.statusCode !== 200) throw new Error(r.body) }
  await explain('GET /api/appointments', get('/api/appointments'), false)
  await explain('GET agenda', get('/api/appointments/agenda?from=2027-01-04'), false)
  await explain('GET undelivered', get('/api/appointments/undelivered-messages'), false)
  await explain('GET insights 6', get('/api/insights'), false)
  await explain('GET insights 24', get('/api/insights?months=24'), false)
  await explain('GET one calendar insights 24', get(`/api/calendars/${ids[0]}/insights?months=24`), false)
  await explain('GET external', get('/api/external-events?from=2027-01-04T00:00:00Z&until=2027-01-11T00:00:00Z'), false)
  const began = performance.now()
  await get('/api/appointments.csv?filter=all')()
  console.log('### csv all 150000', performance.now() - began)
  const customers = (n: number, p: number) => (db: typeof database.db) => findCustomersPage(db, { calendarIds: ids.slice(0, n), person: null, page: p, size: 10 })
  await explain('customers 20 p1', customers(20, 1))
  await explain('customers 20 p5000', customers(20, 5000), false)
  await explain('customers 1 p1', customers(1, 1), false)
})
