import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { HolidayCountry } from '#contract/availability/holidays.ts'
import type { Holiday } from '#core/availability/holidays.ts'

/** A region whose holidays are known, and the years to list. */
export type HolidayQuery = {
  readonly country: string
  readonly region: string | null
  readonly years: readonly number[]
}

/** More than the library has regions. */
const MAX_ANSWERS = 1_000

/** The list of countries has the key `null`. */
const answers = new LRUCache<string, HolidayCountry[] | Holiday[]>({
  max: MAX_ANSWERS,
  fetchMethod: async (key) => {
    const answer = line.then(() => askThread(JSON.parse(key)))
    line = answer.catch(() => {})
    return answer
  },
})

/** Promise that resolves when the last thread has answered. One thread at a time bounds the memory. */
let line: Promise<unknown> = Promise.resolve()

/** Lists the countries whose public holidays are known, with their regions. */
export async function listCountries(): Promise<readonly HolidayCountry[]> {
  return (await answers.forceFetch('null')) as HolidayCountry[] // What the thread answers to this key.
}

/** Computes the public holidays of a region that `listCountries` has. */
export async function computeHolidays(query: HolidayQuery): Promise<readonly Holiday[]> {
  return (await answers.forceFetch(JSON.stringify(query))) as Holiday[] // What the thread answers to this key.
}

/**
 * Loads the library in a thread, because loading takes 200 ms and 40 MB, and computing a lunar calendar takes up to 300
 * ms. Afterwards nothing of it is left.
 */
async function askThread(query: HolidayQuery | null): Promise<HolidayCountry[] | Holiday[]> {
  const thread = new Worker(new URL('./holidays-thread.ts', import.meta.url), { workerData: query, env: {} })
  const [answer] = await once(thread, 'message')
  return answer
}
