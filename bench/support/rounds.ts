import type { Listener } from './child-process.ts'
import { runForJson } from './child-process.ts'
import type { FullLoad, FullLoadResult, LoadRequest } from './full-load.ts'

/** What stands against what in alternation, so that a busy machine slows both alike. */
export type Contender = {
  readonly name: string
  readonly listener: Listener
  /** Called for each round: what is booked can be booked once. */
  readonly requests: (round: number) => readonly LoadRequest[]
}

export type RoundsOptions = {
  readonly rounds: number
  readonly connections: number
  readonly seconds: number
}

/** So long that what is asked often is compiled: at two hundred a second that takes some thousands of requests. */
const WARM_UP_SECONDS = 15

/**
 * Loads each in turn, several times, after a warm-up.
 * @returns for each contender its requests per second in each round
 * @throws Error when one refuses something
 */
export async function measureInTurn(
  contenders: readonly Contender[],
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

/** The middle of the values; of an even number the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The median of what the rounds say one by one: a round has both sides under the same conditions. */
export function medianRatio(ofWhat: readonly number[], toWhat: readonly number[]): number {
  return median(ofWhat.map((perSecond, i) => perSecond / (toWhat[i] ?? Number.NaN)))
}
