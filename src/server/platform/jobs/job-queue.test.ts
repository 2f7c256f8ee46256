import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { buildLog } from '#server/platform/log.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { recordStatements, type StatementRecorder } from '#tests/support/record-statements.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildJobQueue, type JobDefinition, type JobQueue } from './job-queue.ts'

type Parcel = { readonly number: number; readonly slow?: boolean }

const PARCEL: JobDefinition<Parcel> = {
  name: 'parcel',
  retryLimit: 1,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  expireSeconds: 60,
  keepSeconds: 60,
}

const LETTER: JobDefinition<Parcel> = { ...PARCEL, name: 'letter', workersPerProcess: 1 }
/** Number of parallel workers on the embedded database. */
const WORKERS = 4
/** The number for which the handler throws a final error. */
const REFUSED = -1

let recorder: StatementRecorder
let database: Database
let queue: JobQueue
let delivered: number[] = []
let deliveredAtMs: number[] = []
let underWay = 0
let mostUnderWay = 0
let letGo: () => void = () => {}

beforeAll(async () => {
  recorder = recordStatements()
  database = await openTestDatabase()
  queue = buildJobQueue(database, buildLog('silent'), [PARCEL, LETTER])
  await queue.start()
  const deliver = async ({ number, slow }: Parcel) => {
    if (number === REFUSED) throw Object.assign(new Error('refused'), { isFinal: true })
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    await new Promise<void>((resolve) => {
      if (slow === true) letGo = resolve
      else setTimeout(resolve, 20)
    })
    underWay -= 1
    delivered.push(number)
    deliveredAtMs.push(performance.now())
  }
  await queue.work(PARCEL, deliver)
  await queue.work(LETTER, deliver)
})
beforeEach(() => {
  delivered = []
  deliveredAtMs = []
  mostUnderWay = 0
})
afterAll(async () => {
  await queue.stop()
  await database.close()
  recorder.stop()
})

test('while nothing is due one statement a second asks for all kinds, and nobody looks into a queue', async () => {
  const sent = await recorder.during(() => sleep(2_500))
  const looks = sent.filter(({ text }) => text.includes('as kind(name)'))
  expect(looks.length).toBeGreaterThan(0)
  expect(looks.length).toBeLessThan(4)
  for (const { values } of looks) expect(values).toEqual([[PARCEL.name, LETTER.name]])
  // This matches the statement with which pg-boss polls for a job.
  expect(sent.filter(({ text }) => /name = '(parcel|letter)'/.test(text))).toEqual([])
})

test('a job that another process has queued is found as well', async () => {
  const other = buildJobQueue(database, buildLog('silent'), [PARCEL, LETTER])
  await other.start()
  await other.send(PARCEL, { number: 7 })
  await waitUntil(async () => delivered.includes(7))
  await other.stop()
})

test('a long queue is worked on without pauses, several jobs at a time and each once', async () => {
  const numbers = Array.from({ length: 80 }, (_, number) => number)
  await database.db.transaction().execute((trx) =>
    queue.insert(
      trx,
      PARCEL,
      numbers.map((number) => ({ number })),
    ),
  )
  await waitUntil(async () => delivered.length >= numbers.length || delivered.length)
  // With one poll a second, each worker would handle one job. Use the best second, because the machine may be busy.
  const inSecondFrom = (startMs: number) =>
    deliveredAtMs.filter((atMs) => atMs >= startMs && atMs < startMs + 1_000).length
  expect(Math.max(...deliveredAtMs.map(inSecondFrom))).toBeGreaterThan(2 * WORKERS)
  expect(delivered.toSorted((a, b) => a - b)).toEqual(numbers)
  expect(mostUnderWay).toBeGreaterThan(1)
})

test('a job that the same process has queued is worked on at once', async () => {
  const tookMs: number[] = []
  for (let number = 1; number <= 10; number++) {
    const sentMs = performance.now()
    await queue.send(PARCEL, { number })
    await waitUntil(async () => delivered.length === number)
    tookMs.push(performance.now() - sentMs)
  }
  // Without the wake-up, all jobs but the first would wait almost a second, because workers that poll once a second
  // have just polled. Use the shortest time, because the machine may be busy.
  expect(Math.min(...tookMs.slice(1))).toBeLessThan(700)
})

test('a slow job holds up no other one, and those are done for good before it is', async () => {
  await queue.send(PARCEL, { number: 0, slow: true })
  await waitUntil(async () => underWay === 1)
  // Numbers used by no other test.
  const numbers = [201, 202, 203, 204, 205, 206]
  for (const number of numbers) await queue.send(PARCEL, { number })
  await waitUntil(async () => {
    const { rows } = await database.execute(
      `select data ->> 'number' as number, state from pgboss.job where (data ->> 'number')::int > 200 order by number`,
    )
    return rows.length === 6 && rows.every(({ state }) => state === 'completed')
  })
  expect(delivered.toSorted((a, b) => a - b)).toEqual(numbers)
  letGo()
  await waitUntil(async () => delivered.length === 7)
})

test('a process works on one job of a kind at a time where the kind says so, and patient ones give way', async () => {
  await queue.send(LETTER, { number: 0, slow: true })
  await waitUntil(async () => underWay === 1)
  const { db } = database
  await db
    .transaction()
    .execute((trx) => queue.insert(trx, LETTER, [{ number: 1 }, { number: 2 }], { isPatient: true }))
  await queue.send(LETTER, { number: 3 })
  letGo()
  await waitUntil(async () => delivered.length === 4)
  expect(delivered).toEqual([0, 3, 1, 2])
  expect(mostUnderWay).toBe(1)
})

test('a job whose error says that it is final is not tried again', async () => {
  await queue.send(PARCEL, { number: REFUSED })
  const read = () =>
    database.execute(`select state, retry_count from pgboss.job where data ->> 'number' = '${REFUSED}'`)
  await waitUntil(async () => (await read()).rows[0]?.state === 'failed')
  expect((await read()).rows).toEqual([{ state: 'failed', retry_count: 0 }])
})

test('jobs that wait can be taken back by what is in them; one that is under way goes on and is listed', async () => {
  await queue.send(LETTER, { number: 70, slow: true })
  await waitUntil(async () => underWay === 1)
  await queue.send(LETTER, { number: 71 })
  await queue.send(LETTER, { number: 72 })
  const taken = await database.db
    .transaction()
    .execute((trx) => queue.withdraw(trx, LETTER, { field: 'number', values: ['70', '71'] }))
  expect(taken.map(({ number }) => number).sort()).toEqual([70, 71])
  letGo()
  await waitUntil(async () => delivered.length === 2)
  expect(delivered).toEqual([70, 72])
})

test('jobs of a transaction that fails do not exist', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await queue.insert(trx, PARCEL, [{ number: 99 }])
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  const { rows } = await database.execute(`select id from pgboss.job where data ->> 'number' = '99'`)
  expect(rows).toEqual([])
})
