import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { buildLog } from '#server/platform/log.ts'
import { openTestDatabase } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
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
/** Its handler throws an error that says it is final. */
const REFUSED = -1

let database: Database
let queue: JobQueue
let delivered: number[] = []
let underWay = 0
let mostUnderWay = 0
let letGo: () => void = () => {}

beforeAll(async () => {
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
  }
  await queue.work(PARCEL, deliver)
  await queue.work(LETTER, deliver)
})
beforeEach(() => {
  delivered = []
  mostUnderWay = 0
})
afterAll(async () => {
  await queue.stop()
  await database.close()
})

test('a long queue is worked on without pauses, several jobs at a time and each once', async () => {
  const numbers = Array.from({ length: 80 }, (_, number) => number)
  const startMs = performance.now()
  await database.db.transaction().execute((trx) =>
    queue.insert(
      trx,
      PARCEL,
      numbers.map((number) => ({ number })),
    ),
  )
  await waitUntil(async () => delivered.length >= numbers.length || delivered.length)
  // At a job a second and worker it would be 20 s.
  expect(performance.now() - startMs).toBeLessThan(10_000)
  expect(delivered.toSorted((a, b) => a - b)).toEqual(numbers)
  expect(mostUnderWay).toBeGreaterThan(1)
})

test('a job that the same process has queued is worked on at once', async () => {
  const startMs = performance.now()
  for (let number = 1; number <= 10; number++) {
    await queue.send(PARCEL, { number })
    await waitUntil(async () => delivered.length === number)
  }
  // Those who look for jobs once a second would have taken 9 s.
  expect(performance.now() - startMs).toBeLessThan(5_000)
})

test('a slow job holds up no other one, and those are done for good before it is', async () => {
  await queue.send(PARCEL, { number: 0, slow: true })
  await waitUntil(async () => underWay === 1)
  for (const number of [1, 2, 3, 4, 5, 6]) await queue.send(PARCEL, { number })
  await waitUntil(async () => {
    const { rows } = await database.execute(
      `select state, count(*)::int as count from pgboss.job where name = 'parcel' and created_on > now() - interval '20 s'
         and (data ->> 'number')::int <= 6 and data ->> 'slow' is null and state = 'completed' group by state`,
    )
    return Number(rows[0]?.count ?? 0) >= 6 && delivered.length === 6
  })
  expect(delivered.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
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

test('jobs of a transaction that fails do not exist', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await queue.insert(trx, PARCEL, [{ number: 99 }])
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  const { rows } = await database.execute(`select id from pgboss.job where data ->> 'number' = '99'`)
  expect(rows).toEqual([])
})
