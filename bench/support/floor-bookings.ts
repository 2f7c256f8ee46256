import { createHash, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import type pg from 'pg'
import { openBaselinePool } from './floor-pool.ts'

/**
 * The floor for bookings, served by bare routes: Meridian's transaction written by hand (the locks of calendar, location and
 * person, the customer, the appointment, its messages and jobs in one insert, and the stored response if the request has a key),
 * and a single insert of such a row into a table without constraints.
 */
const pool = await openBaselinePool()
await pool.query(
  'create table if not exists bare_appointments (like appointments including generated including defaults, primary key (id))',
)
const app = fastify()

type Booking = {
  readonly starts_at: string
  readonly appointment_type_id: string
  readonly customer: { readonly name: string; readonly email: string }
}
type Request = { Params: { slug: string }; Body: Booking; Headers: { 'idempotency-key'?: string } }

app.post<Request>('/api/public/calendars/:slug/appointments', async ({ params, body, headers }, reply) => {
  const client = await pool.connect()
  try {
    const answer = await book(client, params.slug, body, headers['idempotency-key'])
    return reply.code(201).type('application/json; charset=utf-8').send(answer)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

app.post<Request>('/bare/:slug', async ({ body }, reply) => {
  await pool.query(prepared('bare', toInsert('bare_appointments'), toValues(body, null)))
  return reply.code(201).type('application/json; charset=utf-8').send('{}')
})

app.get('/readyz', async () => 'ready')
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

type Calendar = {
  readonly id: string
  readonly name: string
  readonly person: string
  readonly place: string
  readonly place_name: string
}

async function book(
  client: pg.PoolClient,
  slug: string,
  body: Booking,
  key: string | undefined,
): Promise<string> {
  await client.query('begin')
  const locked = await client.query<Calendar>(
    prepared(
      'lock',
      `select calendars.id, calendars.name, host_id as person, locations.id as place, locations.name as place_name
       from calendars join calendar_locations on calendar_id = calendars.id and is_primary
       join locations on locations.id = location_id
       where slug = $1 for no key update of calendars`,
      [slug],
    ),
  )
  const [calendar] = locked.rows
  if (calendar === undefined) throw new Error('no such calendar')
  await client.query(
    prepared(
      'place-and-person',
      'select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 1))',
      [calendar.place, calendar.person],
    ),
  )
  if (key !== undefined) {
    const known = 'select body_hash from idempotency_keys where calendar_id = $1 and key = $2'
    const { rows } = await client.query(prepared('known', known, [calendar.id, key]))
    if (rows.length > 0) throw new Error('no key is sent twice')
  }
  const customer = await client.query<{ id: string }>(
    prepared(
      'customer',
      `with found as (select id from customers where calendar_id = $1 and lower(btrim(email)) = lower(btrim($2))),
       made as (
         insert into customers (calendar_id, id, client_id, name, email)
         select $1, $3, $4, $5, $2 where not exists (select from found) returning id
       )
       select id from found union all select id from made`,
      [calendar.id, body.customer.email, randomUUID(), `C${process.hrtime.bigint()}`, body.customer.name],
    ),
  )
  const at = { calendar, customerId: customer.rows[0]?.id ?? '' }
  const values = toValues(body, at)
  await client.query(prepared('appointment', toInsert('appointments'), values))
  await client.query(
    prepared(
      'jobs',
      `with messages as (
         insert into appointment_messages
           (calendar_id, appointment_id, kind, recipient, occasion, sequence, changed_at)
         values ($1, $2, 'booking_confirmation', 'customer', '0', 0, now()),
           ($1, $2, 'owner_booking_notice', 'owner', '0', 0, now())
         returning id
       )
       insert into pgboss.job_common (name, data, policy)
       select 'appointment-mail', jsonb_build_object('calendarId', $1::uuid, 'messageId', id, 'repeat', 0), 'standard'
       from messages`,
      [calendar.id, values[1]],
    ),
  )
  const [, id, reference] = values
  if (key !== undefined) {
    const keep = `insert into idempotency_keys (calendar_id, key, body_hash, appointment_id, confirmation_email_queued)
      values ($1, $2, $3, $4, true)`
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    await client.query(prepared('keep', keep, [calendar.id, key, hash, id ?? null]))
  }
  await client.query('commit')
  return `{"id":"${id}","booking_reference":"${reference}","status":"confirmed","starts_at":"${body.starts_at}","calendar_name":"${calendar.name}"}`
}

function toInsert(table: string): string {
  return `insert into ${table} (calendar_id, id, booking_reference, customer_id, customer_name, starts_at, ends_at, blocked,
      title, appointment_type_id, appointment_type_name, price_cents, time_zone, location_id, location_name,
      location_address, conflict_location_id, sequence, currency, is_online, status, payment_status, created_at,
      updated_at, needs_google_sync, host_id)
    values ($1, $2, $3, $4, $5, $6, $7, tstzrange($6, $7), 'Consultation', $8, 'Consultation', 9000, 'Europe/London',
      $9, $10, '1 Long Lane, London', $9, 0, 'eur', false, 'confirmed', 'not_required', now(), now(), false, $11)`
}

function toValues(body: Booking, at: { calendar: Calendar; customerId: string } | null): (string | null)[] {
  const endsAt = new Date(Date.parse(body.starts_at) + 30 * 60_000).toISOString()
  return [
    at?.calendar.id ?? body.appointment_type_id,
    randomUUID(),
    `BK-${process.hrtime.bigint()}`,
    at?.customerId ?? body.appointment_type_id,
    body.customer.name,
    body.starts_at,
    endsAt,
    body.appointment_type_id,
    at?.calendar.place ?? null,
    at?.calendar.place_name ?? null,
    at?.calendar.person ?? body.appointment_type_id,
  ]
}

function prepared(name: string, text: string, values: readonly unknown[]) {
  return { name, text, values: [...values] }
}
