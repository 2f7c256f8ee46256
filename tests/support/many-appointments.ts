import { setImmediate } from 'node:timers/promises'
import type { Database } from '#server/platform/db/database.ts'
import { uuidOf } from './uuid-of.ts'

/**
 * Adds appointments to the database: one every ten minutes around the clock, a third of them before 2027-01-04, for half as many
 * customers. Every tenth customer is named `Other`, the rest `Many person` with a number.
 */
export async function addManyAppointments(
  database: Pick<Database, 'execute'>,
  calendarId: string,
  count: number,
): Promise<void> {
  await database.execute(
    `insert into customers (calendar_id, id, client_id, name, email)
     select $1::uuid, ${uuidOf('$1::uuid::text || i')}, 'C' || i, 'Many', 'p' || i || '@example.com'
     from generate_series(0, $2::integer / 2) as i`,
    [calendarId, count],
  )
  // Inserted in batches, because a statement of the embedded database blocks everything else while it runs.
  for (let first = 0; first < count; first += PIECE) {
    await addPiece(database, calendarId, first, count)
    await setImmediate()
  }
}

const PIECE = 100

async function addPiece(
  database: Pick<Database, 'execute'>,
  calendarId: string,
  first: number,
  count: number,
): Promise<void> {
  await database.execute(
    `insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at,
       time_zone, blocked, title, status, payment_status)
     select $1::uuid, (select host_id from calendars where calendars.id = $1::uuid), gen_random_uuid(), 'BK-' || (900000000 + i * 1000), ${uuidOf('$1::uuid::text || i / 2')},
       case when i % 10 = 0 then 'Other' else 'Many person ' || i / 2 end, s, s + interval '10 minutes', 'UTC',
       tstzrange(s, s + interval '10 minutes'), 'Stored', 'confirmed', 'not_required'
     from generate_series($3::integer, $4::integer) as i
     cross join lateral
       (select timestamptz '2027-01-04T00:00Z' + (i - $2::integer / 3) * interval '10 minutes' as s) as time`,
    [calendarId, count, first, Math.min(first + PIECE, count) - 1],
  )
}
