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

let database: Database
let queue: JobQueue
let delivered: number[] = []
let underWay = 0
let mostUnderWay = 0
let letGo: () => void = () => {}

beforeAll(async () => {
  database = await openTestDatabase()
  queue = buildJobQueue(database, buildLog('silent'), [PARCEL])
  await queue.start()
  await queue.work(PARCEL, async ({ number, slow }) => {
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    await new Promise<void>((resolve) => {
      if (slow === true) letGo = resolve
      else setTimeout(resolve, 20)
    })
    underWay -= 1
    delivered.push(number)
  })
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

test('jobs of a transaction that fails do not exist', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await queue.insert(trx, PARCEL, [{ number: 99 }])
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  const { rows } = await database.execute(`select id from pgboss.job where data ->> 'number' = '99'`)
  expect(rows).toEqual([])
})
