import type { ServerProgram } from './child-process.ts'
import { runForJson } from './child-process.ts'
import type { FullLoad, FullLoadResult, LoadRequest } from './full-load.ts'

/** One of several programs that are measured in turn, so that a busy machine slows all of them alike. */
export type MeasuredProgram = {
  readonly name: string
  readonly listener: ServerProgram
  /** Called for each round, because a time can be booked only once. */
  readonly requests: (round: number) => readonly LoadRequest[]
}

export type RoundsOptions = {
  readonly rounds: number
  readonly connections: number
  readonly seconds: number
}

/**
 * Long enough for V8 to compile frequently called code: at two hundred requests a second, that takes some thousands of requests.
 */
const WARM_UP_SECONDS = 15

/**
 * Measures each contender in turn, several times, after a warm-up.
 * @returns for each contender its requests per second in each round
 * @throws Error when a contender refuses a request
 */
export async function measureAlternately(
  contenders: readonly MeasuredProgram[],
  { rounds, connections, seconds }: RoundsOptions,
): Promise<number[][]> {
  const reached = contenders.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { name, listener, requests }] of contenders.entries()) {
      const load: FullLoad = {
        port: listener.port,
        requests: requests(round),
        connections,
        seconds: round === 0 ? WARM_UP_SECONDS : seconds,
      }
      const result = await runForJson<FullLoadResult>('bench/support/full-load.ts', load)
      if (result.refused > 0) throw new Error(`${name} refused ${result.refused} of its requests`)
      if (round > 0) reached[i]?.push(result.perSecond)
    }
  }
  return reached
}

/** Returns the median; for an even number of values, the higher of the middle two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns the median of the ratios of each round, because both sides of a round have the same conditions. */
export function medianRatio(ofWhat: readonly number[], toWhat: readonly number[]): number {
  return median(ofWhat.map((perSecond, i) => perSecond / (toWhat[i] ?? Number.NaN)))
}
