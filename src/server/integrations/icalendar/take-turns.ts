import { setImmediate as letOthersRun } from 'node:timers/promises'

/** How long others wait, in milliseconds, beside what takes longer by itself. */
const TURN_MS = 10

/**
 * Builds what a long reading calls between its parts: others run whenever it has taken ten milliseconds, and it ends when nobody waits
 * for it any more. A count of parts would not do: what one event takes differs a thousandfold.
 * @throws the reason of the signal
 */
export function buildTurns(signal?: AbortSignal): () => Promise<void> {
  let endsMs = 0
  return async () => {
    if (performance.now() < endsMs) return
    await letOthersRun()
    signal?.throwIfAborted()
    endsMs = performance.now() + TURN_MS
  }
}
