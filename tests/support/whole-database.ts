import { randomUUID } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestMeridian } from './meridian.ts'
import { makeQuestion } from './questions.ts'
import { queryRows } from './race-track.ts'
import { addAppointments, addAppointmentType, addLocation, connectStripe } from './stored-rows.ts'

/** More than two of the batches in which backups are written and read. */
const PAST_APPOINTMENTS = 1_203

/**
 * Inserts an owner with data that a backup could easily distort: fractions of a second, time zones, JSON, line endings, quotes.
 */
export async function insertHardToBackUpData(meridian: TestMeridian): Promise<void> {
  const owner = await makeOwner(meridian, { tier: 'business' })
  const calendar = await makeCalendar(meridian, owner, { timezone: 'Asia/Kathmandu' })
  await addAppointmentType(meridian, calendar.id, { price_cents: 4_200 })
  await addLocation(meridian, owner)
  await connectStripe(meridian, calendar.id)
  const past = Array.from({ length: PAST_APPOINTMENTS }, (_, i) => ({
    startsAt: new Date(Date.parse('2024-01-01T00:00:00.123Z') + i * 3_600_000).toISOString(),
  }))
  await addAppointments(meridian, calendar.id, past)
  const other = await makeCalendar(meridian, owner)
  const first = makeQuestion('Why? \u05de\u05ea\u05d9 "quotes"', { kind: 'long_text' })
  const questions = [first, { ...first, id: randomUUID(), is_private: true }]
  await meridian.as(owner).put(`/api/calendars/${other.id}/questions`, { questions })
  const body = {
    description: 'Two lines,\n\\backslashes\\ "quotes", 한국어 and 🎹',
    customer: { name: "O'Brien; drop table profiles --", email: 'o.brien@example.com' },
    answers: questions.map(({ id }) => ({ question_id: id, value: ['<b>"\\n"</b>\n\u05d0 \u202e 🎹'] })),
  }
  const answer = await bookAppointment(meridian, other.slug, body, { 'idempotency-key': 'kept' })
  if (answer.statusCode !== 201) throw new Error(`not booked: ${answer.body}`)
  const registration = {
    full_name: 'Grace Hopper',
    email: 'not.confirmed@example.com',
    password: 'correct horse',
  }
  await meridian.post('/api/auth/sign-up', registration)
}

/** Reads every row of every table as PostgreSQL formats it, sorted, without the code that makes backups. */
export async function readAllTables(database: Database): Promise<Record<string, string[]>> {
  const tables = await queryRows(
    database,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' and tablename <> 'schema_migrations'
     union select unnest(array['pgboss.queue', 'pgboss.schedule', 'pgboss.job'])
     order by 1`,
  )
  const everything: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await queryRows(database, `select t::text as row from ${name} as t`)
    everything[String(name)] = rows.map(({ row }) => String(row)).sort()
  }
  return everything
}
