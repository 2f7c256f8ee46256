import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ParserTable } from './parser-table.ts'
import { type SerialisedError, serialiseError } from './serialised-error.ts'
import type { TimeLimitMessage } from './watch-thread.ts'

/** A request to the reading process. `limitMs` is the limit of CPU time. */
export type ParseRequest = {
  readonly table: string
  readonly name: string
  readonly input: unknown
  readonly limitMs: number
}

/** A response of the reading process. `tookMs` is the CPU time used. */
export type ParseResponse =
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'done'; readonly tookMs: number }
  | { readonly kind: 'failed'; readonly tookMs: number; readonly error: SerialisedError }

/**
 * Runs the readings that the parent process requests, one at a time. Exits with the parent, and ignores signals that a
 * terminal or supervisor sends to both processes, so that running work ends gracefully.
 */
export function serveParseRequests(tables: Readonly<Record<string, () => Promise<ParserTable>>>): void {
  // Lower the priority, because visitors' requests matter more.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url))
  const watch = (watched: TimeLimitMessage) => thread.postMessage(watched)
  process.on('message', async (message) => {
    const { table, name, input, limitMs } = message as ParseRequest // The parent sends nothing else.
    let startCpu = process.cpuUsage()
    const tookMs = () => toMs(process.cpuUsage(startCpu))
    try {
      const reading = (await tables[table]?.())?.[name]
      if (reading === undefined) throw new Error(`There is no reading ${table} ${name}.`)
      // Loading the libraries is not charged to the account.
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

/** Waits until the message is sent, because unsent parts would fill the memory. */
function send(answer: ParseResponse): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
