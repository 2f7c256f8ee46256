import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  countDeadlocks,
  DATABASE_SETUPS,
  printDuration,
  queryNumber,
  queryRows,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'

const RUNNERS = 40
/**
 * Maximum duration of a round, in milliseconds. PostgreSQL detects a deadlock after a second, and rounds with deadlocks took 4 to
 * 39 s.
 */
const ROUND_LIMIT_MS = 4_000

describe.each(DATABASE_SETUPS)('on $where', ({ where, start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('one of 40 simultaneous bookings of a time succeeds and 39 are told that it is gone', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    await warmUp(meridian, slug)
    const startMs = performance.now()
    const answers = await Promise.all(
      runners().map((i) =>
        bookAppointment(meridian, slug, { customer: { name: `Runner ${i}`, email: emailOf(i) } }),
      ),
    )
    const roundMs = performance.now() - startMs
    printDuration(`40 bookings of one time on ${where}`, roundMs)

    const { winners, others } = splitByOutcome(answers)
    expect(winners).toHaveLength(1)
    expect(others.map(sentenceOf)).toEqual(Array(39).fill(PROBLEMS['booking.slot_unavailable'].title))
    expect(others.map((answer) => answer.statusCode)).toEqual(Array(39).fill(409))
    expect(roundMs).toBeLessThan(ROUND_LIMIT_MS)

    const winner = winners[0]?.json()
    const rows = await queryRows(
      meridian.database,
      `select id, customer_name from appointments where calendar_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ id: winner.id, customer_name: expect.stringMatching(/^Runner \d+$/) }])
    expect(
      await queryNumber(meridian.database, 'select count(*) from customers where calendar_id = $1', [id]),
    ).toBe(1)

    await waitUntilEmailsSent(meridian.database)
    const winnerEmail = emailOf(Number(String(rows[0]?.customer_name).replace('Runner ', '')))
    expect(meridian.mails.map((mail) => mail.to.address).sort()).toEqual([owner.email, winnerEmail].sort())
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('one key sent 20 times at once books once and is answered 20 times alike', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        bookAppointment(meridian, slug, {}, { 'idempotency-key': 'the same key' }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(
      await queryNumber(meridian.database, 'select count(*) from appointments where calendar_id = $1', [id]),
    ).toBe(1)

    const other = await bookAppointment(
      meridian,
      slug,
      { title: 'Another' },
      { 'idempotency-key': 'the same key' },
    )
    expect(other.statusCode).toBe(422)
    expect(sentenceOf(other)).toBe(PROBLEMS['request.key_reused'].title)
  })

  test('40 customers who come at once each get a time, a reference and a client id of their own', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      runners().map((i) =>
        bookAppointment(meridian, slug, {
          starts_at: timeOf(i),
          customer: { name: `Guest ${i}`, email: emailOf(i) },
        }),
      ),
    )
    expect(answers.filter((answer) => answer.statusCode !== 201).map((answer) => answer.body)).toEqual([])
    expect(new Set(answers.map((answer) => answer.json().booking_reference)).size).toBe(RUNNERS)
    expect(
      await queryNumber(
        meridian.database,
        'select count(distinct client_id) from customers where calendar_id = $1',
        [id],
      ),
    ).toBe(RUNNERS)
  })

  test('one customer who books 10 times at once, however the address is written, is one customer', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        bookAppointment(meridian, slug, {
          starts_at: timeOf(i),
          customer: { name: `Writing ${i}`, email: i % 2 === 0 ? 'once@example.com' : ' Once@Example.com ' },
        }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(201))
    expect(
      await queryNumber(meridian.database, 'select count(*) from customers where calendar_id = $1', [id]),
    ).toBe(1)
  })
})

function runners(): number[] {
  return Array.from({ length: RUNNERS }, (_, i) => i)
}

function emailOf(i: number): string {
  return `runner-${i}@example.com`
}

/** The i-th half hour of a week that opens at 09:00 in London, sixteen a day, from Monday on. */
function timeOf(i: number): string {
  const monday = Date.parse('2027-01-11T09:00:00Z')
  return new Date(monday + Math.floor(i / 16) * 86_400_000 + (i % 16) * 1_800_000).toISOString()
}

/** Warms the process up: its first requests compile code and open connections, which a race must not measure. */
async function warmUp(meridian: TestMeridian, slug: string): Promise<void> {
  await Promise.all(runners().map(() => meridian.get(`/api/public/calendars/${slug}/slots?date=2027-01-04`)))
}

function splitByOutcome(answers: readonly LightMyRequestResponse[]) {
  return {
    winners: answers.filter((answer) => answer.statusCode === 201),
    others: answers.filter((answer) => answer.statusCode !== 201),
  }
}

function sentenceOf(answer: LightMyRequestResponse): string {
  return answer.json().title
}
