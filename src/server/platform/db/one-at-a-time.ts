import type pg from 'pg'

type Query = (...args: readonly unknown[]) => Promise<unknown>

/** Has a connection ask what it is given in one go one after the other. For connections that are not in pipeline mode. */
export function oneAtATime(client: pg.PoolClient): void {
  const query = client.query.bind(client) as unknown as Query
  let before: Promise<unknown> | null = null
  const inTurn: Query = (...args) => {
    const answer = before === null ? query(...args) : before.then(() => query(...args))
    const settled = answer.catch(() => {})
    before = settled
    void settled.then(() => {
      if (before === settled) before = null
    })
    return answer
  }
  // The library's overloads, of which this passes on every one that is answered by a promise.
  client.query = inTurn as unknown as typeof client.query
}
