import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Readings } from './readings.ts'
import { type SerialisedError, serialiseError } from './serialised-error.ts'
import type { TimeLimitMessage } from './watch-thread.ts'

/** A request to the process. `limitMs`: processor time. */
export type ReadingRequest = {
  readonly table: string
  readonly name: string
  readonly input: unknown
  readonly limitMs: number
}

/** An answer of the process. `tookMs`: processor time. */
export type ReadingAnswer =
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'done'; readonly tookMs: number }
  | { readonly kind: 'failed'; readonly tookMs: number; readonly error: SerialisedError }

/**
 * Does what the process that started this one asks, one reading at a time. It ends with that process, and not by a signal that a terminal
 * or a supervisor sends to both: what is under way is then ended in an orderly way.
 */
export function serveReadings(tables: Readonly<Record<string, () => Promise<Readings>>>): void {
  // Visitors go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url))
  const watch = (watched: TimeLimitMessage) => thread.postMessage(watched)
  process.on('message', async (message) => {
    const { table, name, input, limitMs } = message as ReadingRequest // Nothing else is sent.
    let startCpu = process.cpuUsage()
    const tookMs = () => toMs(process.cpuUsage(startCpu))
    try {
      const reading = (await tables[table]?.())?.[name]
      if (reading === undefined) throw new Error(`There is no reading ${table} ${name}.`)
      // The account does not pay for loading the libraries.
      startCpu = process.cpuUsage()
      watch({ limitMs })
      for await (const part of reading(input as never)) await send({ kind: 'part', part })
      await send({ kind: 'done', tookMs: tookMs() })
    } catch (error) {
      await send({ kind: 'failed', tookMs: tookMs(), error: serialiseError(error) })
    } finally {
      watch(null)
    }
  })
}

/** Waits until it is on its way: parts that nobody takes would fill the memory. */
function send(answer: ReadingAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
