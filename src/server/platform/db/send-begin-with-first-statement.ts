import type pg from 'pg'

/** What Kysely reads of an answer. */
const NOTHING = { command: 'BEGIN', rowCount: null, rows: [] }

type Query = (text: unknown, ...rest: readonly unknown[]) => Promise<unknown>

/**
 * Has a connection send `begin` together with the first statement of the transaction, which saves one way there and back
 * (measured in decision 20). `begin` is answered before it is sent. That hides nothing: it fails only when the
 * connection has failed, and then the statement that is sent with it fails as well. For connections in pipeline mode,
 * because the first statement does not wait for the answer to `begin`.
 */
export function sendBeginWithFirstStatement(client: pg.PoolClient): void {
  const query = client.query.bind(client) as unknown as Query
  let isBeginning = false
  const withBegin: Query = async (text, ...rest) => {
    if (text === 'begin') {
      isBeginning = true
      return NOTHING
    }
    if (!isBeginning) return query(text, ...rest)
    isBeginning = false
    const [, answer] = await Promise.all([query('begin'), query(text, ...rest)])
    return answer
  }
  // The library's overloads, of which this passes on every one that is answered by a promise.
  client.query = withBegin as unknown as typeof client.query
}
