import { expect, test } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import type { AddRequestCounts, RequestCount } from './request-counts.ts'
import { buildRequestCounts, MAX_COUNTED_KEYS } from './request-counts.ts'

const LIMIT = { key: 'somebody', max: 50, windowMs: 60_000 }

/** Builds a store shared by all processes, which records how often it was called. */
function buildTogether() {
  const totals = new Map<string, number>()
  const asked: number[] = []
  const add: AddRequestCounts = async (counts) => {
    asked.push(counts.length)
    for (const { key, count } of counts) totals.set(key, (totals.get(key) ?? 0) + count)
    return new Map(counts.map(({ key }) => [key, totals.get(key) ?? 0]))
  }
  return { add, asked }
}

function countTimes(counts: ReturnType<typeof buildRequestCounts>, times: number): number[] {
  return Array.from({ length: times }, () => counts.countHere(LIMIT).count)
}

test('a window begins at a full multiple of its length, and with it the counting', () => {
  let nowMs = 119_000
  const counts = buildRequestCounts({ now: () => nowMs, add: null })
  expect(counts.countHere(LIMIT)).toEqual({ count: 1, endsInMs: 1_000 })
  expect(counts.countHere(LIMIT)).toEqual({ count: 2, endsInMs: 1_000 })
  nowMs = 120_000
  expect(counts.countHere(LIMIT)).toEqual({ count: 1, endsInMs: 60_000 })
})

test('what two processes counted adds up with the next exchange of each', async () => {
  const { add } = buildTogether()
  const [one, other] = [add, add].map((each) => buildRequestCounts({ now: () => 0, add: each }))
  if (one === undefined || other === undefined) throw new Error('two were built')
  countTimes(one, 30)
  countTimes(other, 10)
  await one.exchange()
  await other.exchange()
  expect(other.countHere(LIMIT).count).toBe(41)
  await one.exchange()
  expect(one.countHere(LIMIT).count).toBe(31)
  await other.exchange()
  await one.exchange()
  expect(one.countHere(LIMIT).count).toBe(43)
})

test('the database is not asked about clients that are far from their limit, or that asked for nothing since', async () => {
  const { add, asked } = buildTogether()
  const counts = buildRequestCounts({ now: () => 0, add })
  countTimes(counts, 4)
  await counts.exchange()
  expect(asked).toEqual([])
  countTimes(counts, 1)
  await counts.exchange()
  await counts.exchange()
  expect(asked).toEqual([1])
})

test('what could not be told is told the next time', async () => {
  const { add } = buildTogether()
  let isAway = true
  const counts = buildRequestCounts({
    now: () => 0,
    add: (told) => (isAway ? Promise.reject(new Error('away')) : add(told)),
  })
  countTimes(counts, 20)
  await expect(counts.exchange()).rejects.toThrow('away')
  isAway = false
  countTimes(counts, 1)
  await counts.exchange()
  const [told] = await add([{ key: LIMIT.key, windowStartMs: 0, count: 0 }])
  expect(told).toEqual([LIMIT.key, 21])
})

test('who is over a limit that all count together is refused without asking the database', async () => {
  const { add, asked } = buildTogether()
  const counts = buildRequestCounts({ now: () => 0, add })
  const statuses: boolean[] = []
  for (let i = 0; i < 5; i += 1)
    statuses.push((await counts.countEverywhere({ ...LIMIT, max: 2 })).count <= 2)
  expect(statuses).toEqual([true, true, false, false, false])
  expect(asked).toEqual([1, 1])
})

test('however many clients there are, only so many are remembered: those whose window began first go first', () => {
  let nowMs = 0
  const counts = buildRequestCounts({ now: () => nowMs, add: null })
  counts.countHere(LIMIT)
  nowMs = LIMIT.windowMs
  counts.countHere({ ...LIMIT, key: 'first' })
  counts.countHere(LIMIT)
  for (let i = 0; i < MAX_COUNTED_KEYS - 1; i += 1) counts.countHere({ ...LIMIT, key: `client ${i}` })
  expect(counts.countHere(LIMIT).count).toBe(2)
  expect(counts.countHere({ ...LIMIT, key: 'first' }).count).toBe(1)
})

test('what comes while the database is asked is counted together, and each request has its own place', async () => {
  const asked: (readonly RequestCount[])[] = []
  const answers: ((totals: [key: string, count: number][]) => void)[] = []
  const add: AddRequestCounts = (told) => {
    asked.push(told)
    return new Promise((resolve) => answers.push((totals) => resolve(new Map(totals))))
  }
  const counts = buildRequestCounts({ now: () => 0, add })
  const requests = ['somebody', 'somebody', 'else', 'somebody'].map((key) =>
    counts.countEverywhere({ ...LIMIT, key }),
  )
  expect(asked).toEqual([[{ key: 'somebody', windowStartMs: 0, count: 1 }]])
  answers[0]?.([['somebody', 7]])
  await requests[0]
  await retryUntilPasses(() => expect(asked).toHaveLength(2))
  expect(asked[1]).toEqual([
    { key: 'somebody', windowStartMs: 0, count: 2 },
    { key: 'else', windowStartMs: 0, count: 1 },
  ])
  // Meanwhile another process has counted two requests of the same client.
  answers[1]?.([
    ['somebody', 11],
    ['else', 1],
  ])
  expect((await Promise.all(requests)).map(({ count }) => count)).toEqual([7, 10, 1, 11])
})

test('requests of two windows are counted each in its own, though they wait together', async () => {
  const asked: (readonly RequestCount[])[] = []
  let nowMs = 59_999
  const counts = buildRequestCounts({
    now: () => nowMs,
    add: async (told) => {
      asked.push(told)
      return new Map(told.map(({ key, count }) => [key, count]))
    },
  })
  const before = [counts.countEverywhere(LIMIT), counts.countEverywhere(LIMIT)]
  nowMs = 60_000
  const after = counts.countEverywhere(LIMIT)
  expect((await Promise.all([...before, after])).map(({ count }) => count)).toEqual([1, 1, 1])
  expect(asked.flat().map(({ windowStartMs }) => windowStartMs)).toEqual([0, 0, 60_000])
})

test('who was counted with a statement that failed is told so, and the next is counted again', async () => {
  let isAway = true
  const counts = buildRequestCounts({
    now: () => 0,
    add: async (told) => {
      if (isAway) throw new Error('away')
      return new Map(told.map(({ key, count }) => [key, count]))
    },
  })
  const failed = await Promise.allSettled([counts.countEverywhere(LIMIT), counts.countEverywhere(LIMIT)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect((await counts.countEverywhere(LIMIT)).count).toBe(1)
})
