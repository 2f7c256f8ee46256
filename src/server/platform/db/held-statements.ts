import type pg from 'pg'
import { socketOf } from './socket-of.ts'

/** The savepoint around work whose failure undoes only itself; there is never more than one. */
export const SAVEPOINT = {
  set: 'savepoint attempt',
  release: 'release savepoint attempt',
  undo: 'rollback to savepoint attempt',
} as const

/** Their answers say nothing that the next one does not say as well. */
const HELD: ReadonlySet<unknown> = new Set(['begin', SAVEPOINT.set, SAVEPOINT.release])
/** What Kysely reads of an answer. */
const NOTHING = { command: '', rowCount: null, rows: [] }

type Query = (text: unknown, values?: readonly unknown[], ...rest: readonly unknown[]) => Promise<unknown>

/**
 * Has a connection send what is asked in one go in one packet, and these statements along with the one that follows: a way
 * there and back costs both sides more than a small statement. What follows fails with them: in PostgreSQL each of the three
 * fails only when the connection or the transaction around it has failed already. For connections in pipeline mode.
 */
export function holdBack(client: pg.PoolClient): void {
  const bound = client.query.bind(client) as unknown as Query
  const socket = socketOf(client)
  let isCorked = false
  const query: Query = (...args) => {
    if (!isCorked) {
      socket.cork()
      process.nextTick(() => {
        isCorked = false
        socket.uncork()
      })
    }
    isCorked = true
    return bound(...args)
  }
  let held: unknown[] = []
  const sendTogether: Query = (text, values, ...rest) => {
    if (HELD.has(text) && rest.length === 0) {
      held.push(text)
      return Promise.resolve(NOTHING)
    }
    if (held.length === 0) return query(text, values, ...rest)
    const before = held.map((one) => query(one))
    held = []
    const answer = query(text, values, ...rest)
    return Promise.all([answer, ...before]).then(([first]) => first)
  }
  // The library's overloads, of which this passes on every one.
  client.query = sendTogether as unknown as typeof client.query
}
