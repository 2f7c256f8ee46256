import { constants, setPriority } from 'node:os'
import type { Readings } from './readings.ts'
import { type SentError, toSentError } from './sent-error.ts'

/** What the process is asked. */
export type ReadingRequest = { readonly table: string; readonly name: string; readonly input: unknown }

/** What it answers. `begun`: the libraries are loaded, so its time runs from now on. */
export type ReadingAnswer =
  | { readonly kind: 'begun' | 'done' }
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'failed'; readonly error: SentError }

/**
 * Does what the process that started this one asks, one reading at a time. It ends with that process, and not by a signal that a terminal
 * or a supervisor sends to both: what is under way is then ended in an orderly way.
 */
export function serveReadings(tables: Readonly<Record<string, () => Promise<Readings>>>): void {
  // Visitors go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
  process.on('message', async (message) => {
    const { table, name, input } = message as ReadingRequest // Nothing else is sent.
    try {
      const reading = (await tables[table]?.())?.[name]
      if (reading === undefined) throw new Error(`There is no reading ${table} ${name}.`)
      await send({ kind: 'begun' })
      for await (const part of reading(input as never)) await send({ kind: 'part', part })
      await send({ kind: 'done' })
    } catch (error) {
      await send({ kind: 'failed', error: toSentError(error) })
    }
  })
}

/** Waits until it is on its way: parts that nobody takes would fill the memory. */
function send(answer: ReadingAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(answer, () => resolve())
  })
}
