import pg from 'pg'
import { type MockInstance, vi } from 'vitest'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

export type StatementRecorder = {
  /** The statements that were sent while `work` ran, by anybody. */
  readonly during: (work: () => Promise<unknown>) => Promise<Statement[]>
  readonly stop: () => void
}

/** Listens to every connection that is opened from now on. */
export function recordStatements(): StatementRecorder {
  const sent: Statement[] = []
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy: MockInstance = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [first, values] = args
    const statement =
      typeof first === 'string' ? { text: first, values } : (first as { text: string; values?: unknown }) // the library's two forms
    sent.push({ text: statement.text, values: (statement.values as unknown[] | undefined) ?? [] })
    return query.apply(this, args)
  } as never) // one of the library's overloads, of which all are passed on
  return {
    async during(work) {
      const from = sent.length
      await work()
      return sent.slice(from)
    },
    stop: () => spy.mockRestore(),
  }
}
