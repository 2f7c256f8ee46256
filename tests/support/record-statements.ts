import pg from 'pg'
import { type MockInstance, vi } from 'vitest'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

export type StatementRecorder = {
  /** Returns all statements sent while `work` ran, on every connection. */
  readonly during: (work: () => Promise<unknown>) => Promise<Statement[]>
  readonly stop: () => void
}

/** Records the statements of every connection. */
export function recordStatements(): StatementRecorder {
  const sent: Statement[] = []
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy: MockInstance = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [first, values] = args
    const statement =
      typeof first === 'string' ? { text: first, values } : (first as { text: string; values?: unknown }) // both forms are valid
    sent.push({ text: statement.text, values: (statement.values as unknown[] | undefined) ?? [] })
    return query.apply(this, args)
  } as never) // all overloads of the library are passed on
  return {
    async during(work) {
      const from = sent.length
      await work()
      return sent.slice(from)
    },
    stop: () => spy.mockRestore(),
  }
}
