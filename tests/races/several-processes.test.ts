import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { queryNumber, startOnPostgresServer, waitUntilEmailsSent } from '#tests/support/race-track.ts'

/** Two web processes and two workers in one Node process. Each has its own pool and job queue, as separate processes have. */

let webs: [TestMeridian, TestMeridian]
let workers: [TestMeridian, TestMeridian]
let owner: TestOwner

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const start = (ROLE: string) =>
    startOnPostgresServer({ url, poolSize: 5, env: { ROLE, DEFAULT_PLAN: 'enterprise' } })
  const [web, otherWeb, worker, otherWorker] = await Promise.all([
    start('web'),
    start('web'),
    start('worker'),
    start('worker'),
  ])
  webs = [web, otherWeb]
  workers = [worker, otherWorker]
  owner = await makeOwner(webs[0])
})
afterAll(async () => {
  await Promise.all([...webs, ...workers].map((meridian) => meridian.stop()))
})

test('five processes that start together on an empty database all start, three times over', {
  tags: ['slow'],
}, async () => {
  for (let round = 0; round < 3; round += 1) {
    const url = await createDatabase(inject('postgresUrl'))
    const starts = await Promise.allSettled(
      Array.from({ length: 5 }, () => startOnPostgresServer({ url, poolSize: 3 })),
    )
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop()
    expect(starts.filter((start) => start.status === 'rejected')).toEqual([])
  }
})

test('a session of one web process is good for the other', async () => {
  const answer = await webs[1].request({ method: 'GET', url: '/api/calendars', cookie: owner.cookie })
  expect(answer.statusCode).toBe(200)
})

test('a time that both web processes are asked for at once is booked once, and each mail is sent once', async () => {
  const calendar = await makeCalendar(webs[0], owner)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      bookAppointment(webs[i % 2 === 0 ? 0 : 1], calendar.slug, {
        // Four times with ten requests each, half of them to either process.
        starts_at: `2027-01-04T${String(10 + (i % 4)).padStart(2, '0')}:00:00Z`,
        customer: { name: `Runner ${i}`, email: `runner-${i}@example.com` },
      }),
    ),
  )
  const booked = answers.filter((answer) => answer.statusCode === 201)
  expect(booked).toHaveLength(4)
  expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(36)
  const count = 'select count(*) from appointments where calendar_id = $1'
  expect(await queryNumber(webs[1].database, count, [calendar.id])).toBe(4)

  await waitUntilEmailsSent(webs[0].database)
  const sent = workers.flatMap((worker) => worker.mails)
  expect(sent).toHaveLength(8)
  expect(new Set(sent.map((mail) => mail.messageId)).size).toBe(8)
  expect(webs.flatMap((web) => web.mails)).toEqual([])
})

test('the same key sent to both web processes at once books once', async () => {
  const calendar = await makeCalendar(webs[0], owner)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      bookAppointment(webs[i % 2 === 0 ? 0 : 1], calendar.slug, {}, { 'idempotency-key': 'sent to both' }),
    ),
  )
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(answers[0]?.statusCode).toBe(201)
})

test('the throttle of sign-in counts over both web processes', { tags: ['slow'] }, async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const env = { ROLE: 'web', BUDGETS: 'login_client=6' }
  const strict = await Promise.all([startOnPostgresServer({ url, env }), startOnPostgresServer({ url, env })])
  const statuses: number[] = []
  for (let i = 0; i < 8; i += 1) {
    const answer = await strict[i % 2]?.request({
      method: 'POST',
      url: '/api/auth/sign-in',
      payload: { email: 'nobody@example.com', password: `guess number ${i}` },
    })
    statuses.push(answer?.statusCode ?? 0)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
  await Promise.all(strict.map((meridian) => meridian.stop()))
})
