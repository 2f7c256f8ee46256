import type { IAsyncProperty, IProperty, IRawProperty, Parameters } from 'fast-check'
import * as fastCheck from 'fast-check'

// All but `assert`, which is below.
export * from 'fast-check'

/** What `npm test` tries is the same in each run, so a commit that has passed passes again. */
const SEED = 20_270_104
/** `tests/prove/properties.ts` gives each property this time (seconds) to try other values; unset in `npm test`. */
const SECONDS = process.env.PROPERTY_SECONDS
/** More values than any property can try in its time. */
const WITHOUT_END = 100_000_000

/**
 * `assert` of fast-check with the seed of this project. To repeat a failure, give it the `seed` and the `path` of its report.
 * `npm run prove -- properties` uses a new seed each time.
 */
export function assert<Ts>(property: IAsyncProperty<Ts>, params?: Parameters<Ts>): Promise<void>
export function assert<Ts>(property: IProperty<Ts>, params?: Parameters<Ts>): void
export function assert<Ts>(property: IRawProperty<Ts>, params?: Parameters<Ts>): Promise<void> | void {
  if (SECONDS === undefined) return fastCheck.assert(property, { seed: SEED, ...params })
  const longForm = { numRuns: WITHOUT_END, interruptAfterTimeLimit: Number(SECONDS) * 1000 }
  return fastCheck.assert(property, { ...params, ...longForm })
}
