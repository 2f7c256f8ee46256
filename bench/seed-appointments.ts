import { randomUUID } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { uuidOf } from '#tests/support/uuid-of.ts'

export const OWNER_ID = '00000000-0000-4000-8000-000000000001'
/** Half of the appointments lie before. */
export const NOW_MS = Date.parse('2027-01-04T08:00:00Z')

const TODAY = '2027-01-04T00:00:00Z'

/** One appointment every ten minutes around the clock, so that none overlap, each thirteenth cancelled. Returns the calendar. */
export async function seedAppointments(
  database: Database,
  size: { readonly appointments: number; readonly customers: number },
): Promise<string> {
  const calendarId = randomUUID()
  // Checking each against the others takes five times as long as everything else, and no list reads that index.
  for (const name of ['appointments_no_double_booking', 'appointments_no_person_conflict']) {
    await database.execute(`alter table appointments drop constraint if exists ${name}`)
    console.log(`without the constraint ${name}, which bookings would keep up`)
  }
  const slug = `bench-${calendarId.slice(0, 8)}`
  await database.execute(
    `insert into profiles (id, email, full_name) values ($1, 'bench@example.com', 'Ada Lovelace') on conflict do nothing`,
    [OWNER_ID],
  )
  await database.execute('insert into public_calendars (slug) values ($1)', [slug])
  await database.execute(
    `insert into calendars (id, user_id, host_id, slug, name) values ($1, $2, $2, $3, 'Bench')`,
    [calendarId, OWNER_ID, slug],
  )
  await database.execute(
    `insert into customers (calendar_id, id, client_id, name, email, phone)
     select $1::uuid, ${uuidOf('$1::uuid::text || i')}, 'C' || (1764000000000 + i),
       (array['Ada','Grace','Alan','Edsger','Barbara','Donald','Radia','Margaret','Ken','Frances'])[1 + i % 10] || ' '
       || (array['Lovelace','Hopper','Turing','Dijkstra','Liskov','Knuth','Perlman'])[1 + (i / 10) % 7] || ' ' || i,
       'person' || i || '@example.com', '+44 20 7' || lpad(i::text, 6, '0')
     from generate_series(0, $2::integer - 1) as i`,
    [calendarId, size.customers],
  )
  await database.execute(
    `insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, customer_phone, starts_at,
       ends_at, time_zone, blocked, title, description, appointment_type_name, price_cents, status, payment_status)
     select $1::uuid, '${OWNER_ID}'::uuid, gen_random_uuid(), 'BK-' || (1700000000000 + i::bigint * 600000), c.id, c.name, c.phone, s,
       s + interval '10 minutes', 'Europe/London', tstzrange(s, s + interval '10 minutes'), 'Session',
       'It began last week and has not become better since.', 'Individual session', 9000,
       case when i % 13 = 0 then 'cancelled' else 'confirmed' end, 'pending'
     from generate_series(0, $2::integer - 1) as i
     cross join lateral (select $3::timestamptz + (i - $2::integer / 2) * interval '10 minutes' as s) as time
     join customers as c on c.calendar_id = $1::uuid and c.id = ${uuidOf('$1::uuid::text || ((i::bigint * 7919) % $4::integer)')}`,
    [calendarId, size.appointments, TODAY, size.customers],
  )
  return calendarId
}
