import type { IAsyncProperty, IProperty, IRawProperty, Parameters } from 'fast-check'
import * as fastCheck from 'fast-check'

// Exports everything except `assert`, which is replaced below.
export * from 'fast-check'

/** A fixed seed: `npm test` tries the same values in each run, so that a commit that has passed passes again. */
const SEED = 20_270_104
/** Seconds for which each property tries new values, set by `tests/prove/properties.ts`. Not set in `npm test`. */
const SECONDS = process.env.PROPERTY_SECONDS
/** More values than any property can try in its time. */
const WITHOUT_END = 100_000_000

/**
 * fast-check's `assert` with this project's seed. To repeat a failure, pass it the `seed` and the `path` of the failure report.
 * `npm run prove -- properties` uses a new seed each time.
 */
export function assert<Ts>(property: IAsyncProperty<Ts>, params?: Parameters<Ts>): Promise<void>
export function assert<Ts>(property: IProperty<Ts>, params?: Parameters<Ts>): void
export function assert<Ts>(property: IRawProperty<Ts>, params?: Parameters<Ts>): Promise<void> | void {
  if (SECONDS === undefined) return fastCheck.assert(property, { seed: SEED, ...params })
  const longForm = { numRuns: WITHOUT_END, interruptAfterTimeLimit: Number(SECONDS) * 1000 }
  return fastCheck.assert(property, { ...params, ...longForm })
}
