import { createHash } from 'node:crypto'
import { toConnectionPurpose } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { buildSecretBox } from '#server/platform/secrets/secret-box.ts'
import { uuidOf } from '#tests/support/uuid-of.ts'
import { SECRET_KEY } from './secret-key.ts'

/** The size of the data: the number of calendars, and the appointments and customers per calendar. */
export type SeedSize = {
  readonly calendars: number
  readonly appointments: number
  readonly customers: number
}

/** Each of the first calendars reads an external calendar with this many events in the next two years. */
export const EXTERNAL_CALENDAR_SIZE = { calendars: 20, events: 2_000 }

/** The seeded data: every calendar has one appointment type (`appointmentTypeIdOf`), and each of the last tenth has its own location. */
export type SeededPractices = SeedSize & {
  /** yyyy-MM-dd, a Monday: the date of each calendar's first appointment. */
  readonly firstDate: string
}

const DAY_MS = 86_400_000
/** Minutes between the starts of two appointments, so that 500 of them take 31 days. Each lasts half an hour. */
const STEP_MINUTES = 89
/** Constraints to drop before the inserts and to add again afterwards, which is faster than checking each row. */
const CONSTRAINTS = [
  'appointments_no_double_booking',
  'appointments_no_location_conflict',
  'appointments_no_person_conflict',
]

/**
 * Fills an empty database with practices in London, open on working days from 8:00 to 12:00 and 13:00 to 18:00. Each has a
 * half-hour appointment type and, from the first day on, an appointment every 89 minutes around the clock.
 */
export async function seedPractices(
  where: { readonly url?: string; readonly dataDir: string },
  size: SeedSize,
): Promise<SeededPractices> {
  const database = await openDatabase({ ...where, poolSize: 1, patient: true })
  try {
    await migrate(database.db)
    const firstDate = nextMonday(Date.now() + 7 * DAY_MS)
    const run = (text: string, ...values: unknown[]) => database.execute(text, values)
    const { calendars, appointments, customers } = size
    await run(
      `insert into profiles (id, email, email_verified, full_name)
       select ${id('owner')}, 'owner' || n || '@example.com', true, 'Owner ' || n from ${numbers(calendars)} as n`,
    )
    await run(`insert into public_calendars (slug) select 'practice-' || n from ${numbers(calendars)} as n`)
    await run(
      `insert into calendars (id, user_id, host_id, slug, name)
       select ${id('calendar')}, ${id('owner')}, ${id('owner')}, 'practice-' || n, 'Practice ' || n from ${numbers(calendars)} as n`,
    )
    await run(
      'update public_calendars set calendar_id = calendars.id from calendars where calendars.slug = public_calendars.slug',
    )
    await run(
      `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
       select ${id('calendar')}, gen_random_uuid(), weekday, hours.begin::time, hours.finish::time
       from ${numbers(calendars)} as n, generate_series(1, 5) as weekday,
         (values ('08:00', '12:00'), ('13:00', '18:00')) as hours (begin, finish)`,
    )
    await run(
      `insert into appointment_types (calendar_id, id, name, duration, price_cents, position)
       select ${id('calendar')}, ${id('type')}, 'Consultation', 30, 9000, 0 from ${numbers(calendars)} as n`,
    )
    const withPlace = `${numbers(calendars)} as n where n > ${calendars - calendars / 10}`
    await run(
      `insert into locations (id, user_id, name, address)
       select ${id('place')}, ${id('owner')}, 'Practice ' || n, '1 Long Lane, London' from ${withPlace}`,
    )
    await run(
      `insert into calendar_locations (calendar_id, id, location_id, is_primary)
       select ${id('calendar')}, gen_random_uuid(), ${id('place')}, true from ${withPlace}`,
    )
    await run(
      `insert into customers (calendar_id, id, client_id, name, email, phone)
       select ${id('calendar')}, ${uuidOf("'customer' || n || '.' || i")}, 'C' || (1764000000000 + i), 'Customer ' || i,
         'customer' || i || '@example.com', '+44 20 7' || lpad(i::text, 6, '0')
       from ${numbers(calendars)} as n, generate_series(1, $1::integer) as i`,
      customers,
    )

    const definitions = await readDefinitions(run)
    for (const name of CONSTRAINTS) await run(`alter table appointments drop constraint ${name}`)
    const indexes = await readIndexes(run)
    for (const [name] of indexes) await run(`drop index ${name}`)
    // Disables triggers and foreign keys; the rows inserted here satisfy both.
    await run('set session_replication_role = replica')
    await run(
      `insert into appointments (calendar_id, host_id, id, booking_reference, customer_id, customer_name, customer_phone, starts_at,
         ends_at, time_zone, blocked, title, appointment_type_id, appointment_type_name, price_cents, location_id,
         conflict_location_id, status, payment_status)
       select ${id('calendar')}, ${id('owner')}, gen_random_uuid(), 'BK-' || (1764000000000 + i), ${uuidOf("'customer' || n || '.' || c")},
         'Customer ' || c, '+44 20 7' || lpad(c::text, 6, '0'), s, s + interval '30 minutes', 'Europe/London',
         tstzrange(s, s + interval '30 minutes'), 'Consultation', ${id('type')}, 'Consultation', 9000, place, place,
         'confirmed', 'not_required'
       from ${numbers(calendars)} as n
       cross join lateral
         (select case when n > ${calendars - calendars / 10} then ${id('place')} end as place) as at_place
       cross join generate_series(0, $1::integer - 1) as i
       cross join lateral (select 1 + i % $2::integer as c,
         $3::date::timestamp at time zone 'Europe/London' + i * interval '${STEP_MINUTES} minutes' as s) as made`,
      appointments,
      customers,
      firstDate,
    )
    await run('reset session_replication_role')
    for (const [, definition] of indexes) await run(definition)
    // Inserts the counts that the triggers would have kept, as in the migration that added them.
    await run(
      `insert into appointment_days select calendar_id, (starts_at at time zone 'UTC')::date, count(*)
       from appointments group by 1, 2`,
    )
    await run(
      `insert into appointment_people (calendar_id, person_key, customer_id, name, phone, search_text, appointments)
       select people.*, person_search_text(people.name, email, client_id, people.phone), appointments
       from (select calendar_id, person_key, customer_id, min(customer_name) as name, min(customer_phone) as phone
         from appointments group by 1, 2, 3) as people
       join customers on customers.calendar_id = people.calendar_id and customers.id = people.customer_id
       cross join lateral (select ${Math.ceil(appointments / customers)} as appointments) as counted`,
    )
    for (const [name, definition] of definitions) {
      await run(`alter table appointments add constraint ${name} ${definition}`)
    }
    await addExternalCalendars(run, firstDate)
    for (const statement of ['vacuum analyze', 'checkpoint']) await run(statement)
    return { ...size, firstDate }
  } finally {
    await database.close()
  }
}

/** Adds events of 25 minutes, spread evenly over 730 days and around the clock. */
async function addExternalCalendars(run: Run, firstDate: string): Promise<void> {
  const { calendars, events } = EXTERNAL_CALENDAR_SIZE
  const stepMinutes = Math.floor((730 * 24 * 60) / events)
  await run(
    `insert into calendar_connections (id, user_id, provider, account_id, account_name, credentials_encrypted)
     select ${id('connection')}, ${id('owner')}, 'google', n, 'owner' || n || '@example.com', ''
     from ${numbers(calendars)} as n`,
  )
  const secrets = buildSecretBox(SECRET_KEY)
  const { rows } = await run('select id from calendar_connections')
  for (const row of rows) {
    const sealed = secrets.seal('{}', toConnectionPurpose(String(row.id)))
    await run('update calendar_connections set credentials_encrypted = $1 where id = $2', sealed, row.id)
  }
  await run(
    `insert into external_calendars (id, connection_id, external_id, name, synced_at)
     select ${id('external')}, ${id('connection')}, 'primary', 'Private', now() from ${numbers(calendars)} as n`,
  )
  await run(
    `insert into used_external_calendars (calendar_id, external_calendar_id, reads_busy_times)
     select ${id('calendar')}, ${id('external')}, true from ${numbers(calendars)} as n`,
  )
  await run(
    `insert into external_busy_times (external_calendar_id, event_id, starts_at, ends_at, generation)
     select ${id('external')}, 'event' || i, s, s + interval '25 minutes', 0
     from ${numbers(calendars)} as n cross join generate_series(0, $1::integer - 1) as i
     cross join lateral (select $2::date::timestamp at time zone 'Europe/London' + i * interval '${stepMinutes} minutes' as s) as at`,
    events,
    firstDate,
  )
}

type Run = (text: string, ...values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

async function readDefinitions(run: Run): Promise<[name: string, definition: string][]> {
  const { rows } = await run(
    'select conname, pg_get_constraintdef(oid) as definition from pg_constraint where conname = any($1)',
    CONSTRAINTS,
  )
  return rows.map((row) => [String(row.conname), String(row.definition)])
}

/** Reads the indexes that do not belong to a constraint. */
async function readIndexes(run: Run): Promise<[name: string, definition: string][]> {
  const { rows } = await run(
    `select relname, pg_get_indexdef(pg_class.oid) as definition from pg_index
     join pg_class on pg_class.oid = indexrelid
     where indrelid = 'appointments'::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  return rows.map((row) => [String(row.relname), String(row.definition)])
}

/** Returns the id of a calendar's appointment type. */
export function appointmentTypeIdOf(calendar: number): string {
  const hash = createHash('md5').update(`type${calendar}`).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}

/** Builds the SQL for the id of the `n`th record of a kind, the same in every run. */
function id(noun: string): string {
  return uuidOf(`'${noun}' || n`)
}

function numbers(count: number): string {
  return `generate_series(1, ${count})`
}

function nextMonday(epochMs: number): string {
  const dayNumber = Math.floor(epochMs / DAY_MS)
  // 1970-01-01 was a Thursday.
  const untilMonday = (7 - ((dayNumber + 3) % 7)) % 7
  return new Date((dayNumber + untilMonday) * DAY_MS).toISOString().slice(0, 10)
}
