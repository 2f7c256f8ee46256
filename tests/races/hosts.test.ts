import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { printDuration, startOnPostgresServer, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { addHost } from '#tests/support/stored-rows.ts'

/** Two web processes on one database server, and one on the embedded database. */
let webs: [TestMeridian, TestMeridian]
let embedded: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  webs = [
    await startOnPostgresServer({ url, poolSize: 5 }),
    await startOnPostgresServer({ url, poolSize: 5 }),
  ]
  embedded = await startMeridian()
  owner = await makeOwner(webs[0], { tier: 'business' })
})
afterAll(() => Promise.all([...webs, embedded].map((meridian) => meridian.stop())))

const RANDOM_NAMES = 10_000

async function ask(meridian: TestMeridian, host: string): Promise<number> {
  const answer = await meridian.asks.inject({ url: `/ask?domain=${host}`, remoteAddress: '127.0.0.1' })
  return answer.statusCode
}

const PAUSE_MS = 20

/**
 * Repeats a request until the response has this status. Returns only the time spent pausing between requests. Delays on a busy
 * machine also age the server's host cache, so they must not count.
 */
async function waitForAnswer(meridian: TestMeridian, host: string, status: number): Promise<number> {
  for (let pausedMs = 0; pausedMs <= 5_000; pausedMs += PAUSE_MS) {
    if ((await ask(meridian, host)) === status) return pausedMs
    await sleep(PAUSE_MS)
  }
  throw new Error(`${host} is not ${status} after 5 s`)
}

test('a host is served by every process within a second of the change, and denied within a second of its end', async () => {
  const calendar = await makeCalendar(webs[0], owner)
  const host = `${randomUUID()}.example`
  // Fills the caches of hosts, so that the processes have to notice the change below.
  for (const web of webs) expect(await ask(web, host)).toBe(404)
  const id = await addHost(webs[0], calendar.id, { host, kind: 'custom', state: 'live' })
  const here = await Promise.all(webs.map((web) => waitForAnswer(web, host, 200)))
  await webs[1].database.db
    .updateTable('calendar_hosts')
    .set({ state: 'released' })
    .where('id', '=', id)
    .execute()
  const gone = await Promise.all(webs.map((web) => waitForAnswer(web, host, 404)))
  printDuration('longest until a change of a host is known', Math.max(...here, ...gone))
  expect(Math.max(...here, ...gone)).toBeLessThan(1_000)
})

test('the same on the embedded database', async () => {
  const person = await makeOwner(embedded, { tier: 'business' })
  const calendar = await makeCalendar(embedded, person)
  const host = `${randomUUID()}.example`
  expect(await ask(embedded, host)).toBe(404)
  await addHost(embedded, calendar.id, { host, kind: 'subdomain', state: 'live' })
  expect(await waitForAnswer(embedded, host, 200)).toBeLessThan(1_000)
})

test('a host that is lost in the transaction that gives it to another calendar is never nobody’s', async () => {
  const [one, other] = [await makeCalendar(webs[0], owner), await makeCalendar(webs[0], owner)]
  const host = `${randomUUID()}.example`
  const id = await addHost(webs[0], one.id, { host, kind: 'custom', state: 'live' })
  await waitForAnswer(webs[1], host, 200)
  const answers: number[] = []
  const moving = webs[0].database.db.transaction().execute(async (trx) => {
    await trx.updateTable('calendar_hosts').set({ state: 'released' }).where('id', '=', id).execute()
    await sleep(300)
    await addHost({ ...webs[0], database: { ...webs[0].database, db: trx } }, other.id, {
      host,
      kind: 'custom',
      state: 'live',
    })
  })
  for (let i = 0; i < 40; i += 1) {
    answers.push(await ask(webs[1], host))
    await sleep(25)
  }
  await moving
  expect(answers.filter((status) => status !== 200)).toEqual([])
})

test.each(['a server', 'the embedded database'])(
  '10,000 random names on %s are denied from memory while customers book',
  { tags: ['slow'] },
  async (where) => {
    const meridian = where === 'a server' ? webs[0] : embedded
    const person = await makeOwner(meridian, { tier: 'business' })
    const calendar = await makeCalendar(meridian, person)
    const slots = Array.from({ length: 12 }, (_, i) =>
      new Date(Date.UTC(2027, 0, 4, 10, i * 30)).toISOString(),
    )
    const bookings = Promise.all(
      slots.map((starts_at, i) =>
        bookAppointment(meridian, calendar.slug, {
          starts_at,
          customer: { name: `Customer ${i}`, email: `customer-${i}@example.com` },
        }),
      ),
    )
    const timesMs: number[] = []
    for (let done = 0; done < RANDOM_NAMES; done += 20) {
      const beganMs = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: 20 }, () => ask(meridian, `${randomUUID()}.example`)),
      )
      timesMs.push(performance.now() - beganMs)
      expect(new Set(statuses)).toEqual(new Set([404]))
    }
    expect((await bookings).map(({ statusCode }) => statusCode)).toEqual(slots.map(() => 201))
    timesMs.sort((a, b) => a - b)
    printDuration(`the median of 20 questions at once, on ${where}`, timesMs[timesMs.length / 2] ?? 0)
    await waitUntilEmailsSent(meridian.database)
  },
)
