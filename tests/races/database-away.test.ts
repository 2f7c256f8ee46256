import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { createDatabase, type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import { printDuration, queryNumber, queryRows, startOnPostgresServer } from '#tests/support/race-track.ts'

/** Maximum wait of a request for a connection, in milliseconds, as in Meridian. */
const timeoutMs = 5_000
/** Maximum time until a request without a database is refused, in milliseconds: the wait for a connection and a little more. */
const REFUSAL_LIMIT_MS = 6_000

let server: PostgresServer
let url: string
let meridian: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  server = await startPostgres()
  url = await createDatabase(server.url)
  meridian = await startOnPostgresServer({
    url,
    poolSize: 10,
    timeoutMs,
    env: { DEFAULT_PLAN: 'enterprise' },
  })
  owner = await makeOwner(meridian)
})
afterAll(async () => {
  await meridian.stop()
  await server.remove()
})

describe('while the database server is away', () => {
  test('a booking is refused in a sentence, nothing is saved, and the same request succeeds afterwards', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const key = { 'idempotency-key': 'sent again' }
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: timeOf(1) })).statusCode).toBe(201)

    await server.stop()
    const startMs = performance.now()
    const away = await bookAppointment(meridian, calendar.slug, {}, key)
    expect(performance.now() - startMs).toBeLessThan(REFUSAL_LIMIT_MS)
    expectUnavailable(away)
    expect(away.headers['retry-after']).toBe('2')
    expect((await meridian.get('/readyz')).statusCode).toBe(503)
    expect((await meridian.get('/healthz')).statusCode).toBe(200)

    await server.start()
    const backMs = performance.now()
    expect(await countAppointments(calendar)).toBe(1)
    const back = await bookAppointment(meridian, calendar.slug, {}, key)
    expect(back.statusCode, back.body).toBe(201)
    printDuration('from the return of the database to the booking', performance.now() - backMs)
    expect(performance.now() - backMs).toBeLessThan(5_000)
    expect((await meridian.get('/readyz')).statusCode).toBe(200)
    expect((await bookAppointment(meridian, calendar.slug, {}, key)).json()).toEqual(back.json())

    const reference = back.json().booking_reference
    await meridian.waitForMail((mail) => mail.to.address === owner.email && mail.text.includes(reference))
    await meridian.waitForMail(
      (mail) => mail.to.address === 'grace@example.com' && mail.text.includes(reference),
    )
  })

  test('everything else is refused in the same sentence, signing in too', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { cookie, email } = owner
    await server.stop()
    const answers = await Promise.all([
      meridian.as({ cookie }).get('/api/calendars'),
      meridian.as({ cookie }).post('/api/calendars', { name: 'Another' }),
      meridian.as({ cookie }).delete(`/api/calendars/${calendar.id}`),
      meridian.get(`/api/public/calendars/${calendar.slug}`),
      meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-04`),
      meridian.as({ cookie }).get('/api/auth/session'),
      meridian.post('/api/auth/sign-in', { email, password: 'correct horse battery' }),
      meridian.post('/api/auth/sign-up', {
        full_name: 'Ada Lovelace',
        email: 'new@example.com',
        password: 'correct horse battery',
      }),
      meridian.post('/api/auth/password-reset-request', { email }),
    ])
    await server.start()
    for (const answer of answers) expectUnavailable(answer)
    expect(await countAppointments(calendar)).toBe(0)
  })
})

test('a server that falls silent without closing anything is given up, and found again when it is back', async () => {
  const wire = await startWire(Number(new URL(url).port))
  const behindWire = new URL(url)
  behindWire.port = String(wire.port)
  const distant = await startOnPostgresServer({ url: behindWire.href, poolSize: 4, timeoutMs: 1_000 })
  const calendar = await makeCalendar(meridian, owner)

  wire.freeze()
  const startMs = performance.now()
  const answers = await Promise.all(Array.from({ length: 8 }, () => bookAppointment(distant, calendar.slug)))
  for (const answer of answers) expectUnavailable(answer)
  // One second for a connection and one for the silent server. TCP alone would take minutes to give up; the rest is a margin for
  // a busy machine.
  expect(performance.now() - startMs).toBeLessThan(8_000)

  wire.thaw()
  expect((await bookAppointment(distant, calendar.slug)).statusCode).toBe(201)
  await distant.stop()
  await wire.stop()
})

test('a product whose database is away can be stopped', async () => {
  const stranded = await startOnPostgresServer({ url, poolSize: 4, timeoutMs })
  await server.stop()
  const startMs = performance.now()
  await stranded.stop()
  printDuration('stop without a database', performance.now() - startMs)
  expect(performance.now() - startMs).toBeLessThan(10_000)
  await server.start()
})

describe('connections that are cut in the middle of bookings', () => {
  test('leave every answer and the database of one mind', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const scissors = new pg.Client({ connectionString: server.url })
    await scissors.connect()
    const answers: LightMyRequestResponse[] = []
    for (let round = 0; round < 4; round += 1) {
      const bookings = Array.from({ length: 16 }, (_, i) =>
        bookAppointment(meridian, calendar.slug, {
          starts_at: timeOf(round * 16 + i),
          customer: { name: 'Cut', email: `cut-${round}-${i}@example.com` },
        }),
      )
      // Wait for the first response, so that the other bookings are in progress.
      await Promise.race(bookings)
      await scissors.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [new URL(url).pathname.slice(1)],
      )
      answers.push(...(await Promise.all(bookings)))
    }
    await scissors.end()

    const booked = answers.filter((answer) => answer.statusCode === 201)
    const cut = answers.filter((answer) => answer.statusCode !== 201)
    for (const answer of cut) expectUnavailable(answer)
    expect(booked.length).toBeGreaterThan(0)
    expect(cut.length).toBeGreaterThan(0)
    const rows = await queryRows(
      meridian.database,
      'select id from appointments where calendar_id = $1 order by id',
      [calendar.id],
    )
    expect(rows.map((row) => row.id)).toEqual(booked.map((answer) => answer.json().id).sort())
    const mailJobs = `select count(*) from appointment_messages as message
        join pgboss.job on data ->> 'messageId' = message.id::text
      where calendar_id = $1`
    expect(await queryNumber(meridian.database, mailJobs, [calendar.id])).toBe(2 * booked.length)
  })

  test('leave no connection in the pool that does not work', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => meridian.get('/readyz')))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(20).fill(200))
    const calendar = await makeCalendar(meridian, owner)
    expect((await bookAppointment(meridian, calendar.slug)).statusCode).toBe(201)
  })
})

/** Forwards bytes between a separate port and the database. Once frozen, it neither forwards bytes nor closes connections. */
async function startWire(databasePort: number) {
  const sockets = new Set<Socket>()
  let frozen = false
  const wire = createServer((near) => {
    const far = connect(databasePort, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!frozen) to.write(bytes)
      })
      from.on('close', () => {
        sockets.delete(from)
        if (!frozen) to.destroy()
      })
      // One side may be closed while the other is still sending, which raises an error.
      from.on('error', () => {})
    }
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const { port } = wire.address() as AddressInfo // the server is listening on a port
  return {
    port,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.destroy()
    },
    stop: () => new Promise((resolve) => wire.close(resolve)),
  }
}

function expectUnavailable(answer: LightMyRequestResponse): void {
  expect(answer.statusCode, answer.body).toBe(503)
  expect(answer.headers['content-type']).toContain('application/problem+json')
  expect(answer.json()).toMatchObject({
    code: 'server.unavailable',
    title: PROBLEMS['server.unavailable'].title,
  })
}

function countAppointments(calendar: Calendar): Promise<number> {
  return queryNumber(meridian.database, 'select count(*) from appointments where calendar_id = $1', [
    calendar.id,
  ])
}

/** The i-th half hour of a week that opens at 09:00 in London, sixteen a day, from Monday on. */
function timeOf(i: number): string {
  const monday = Date.parse('2027-01-04T09:00:00Z')
  return new Date(monday + Math.floor(i / 16) * 86_400_000 + (i % 16) * 1_800_000).toISOString()
}
