import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { printDuration, startOnPostgresServer } from '#tests/support/race-track.ts'
import { listCompleteAppointments } from '#tests/support/whole-appointments.ts'

/** Maximum duration of a statement here, in milliseconds; Meridian allows 5 s. */
const TIMEOUT_MS = 1_000
/** Maximum duration of a request, in milliseconds: the wait for a connection, a statement, and a busy machine. */
const ANSWER_LIMIT_MS = 5 * TIMEOUT_MS

let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar
let other: pg.Client

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({
    url,
    poolSize: 4,
    timeoutMs: TIMEOUT_MS,
    env: { DEFAULT_PLAN: 'enterprise' },
  })
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
  other = new pg.Client({ connectionString: url })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await meridian.stop()
})

test('bookings that wait for somebody who keeps their calendar locked are refused in time, and write nothing', async () => {
  await other.query('begin')
  await other.query('select from calendars where id = $1 for update', [calendar.id])
  // More requests than connections, so that some wait for a connection and some for the lock.
  const answers = await whileWatched(() =>
    Array.from({ length: 8 }, (_, i) =>
      bookAppointment(meridian, calendar.slug, {}, { 'idempotency-key': `slow ${i}` }),
    ),
  )
  for (const answer of answers) expectLater(answer)
  await other.query('rollback')
  expect(await listCompleteAppointments(meridian.database)).toEqual([])
})

test('a table that nobody can read for a while is told as well, and nothing is held up afterwards', async () => {
  await other.query('begin')
  await other.query('lock table appointments in access exclusive mode')
  const answers = await whileWatched(() => [
    bookAppointment(meridian, calendar.slug),
    meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-04`),
    owner.get(`/api/calendars/${calendar.id}/appointments`),
  ])
  for (const answer of answers) expectLater(answer)
  await other.query('rollback')

  const sent = { 'idempotency-key': 'slow 0' }
  const answer = await bookAppointment(meridian, calendar.slug, {}, sent)
  expect(answer.statusCode, answer.body).toBe(201)
  expect((await bookAppointment(meridian, calendar.slug, {}, sent)).json()).toEqual(answer.json())
  expect(await listCompleteAppointments(meridian.database)).toEqual([answer.json().id])
})

async function whileWatched(
  ask: () => readonly Promise<LightMyRequestResponse>[],
): Promise<LightMyRequestResponse[]> {
  const startMs = performance.now()
  const answers = await Promise.all(ask())
  const durationMs = performance.now() - startMs
  printDuration('told after', durationMs)
  expect(durationMs).toBeLessThan(ANSWER_LIMIT_MS)
  return answers
}

function expectLater(answer: LightMyRequestResponse): void {
  expect(answer.statusCode, answer.body).toBe(503)
  expect(answer.json().title).toBe(PROBLEMS['server.unavailable'].title)
  expect(answer.headers['retry-after']).toBe('2')
}
