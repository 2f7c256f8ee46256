import pg from 'pg'

type Statements = readonly (readonly [text: string, values: readonly unknown[]])[]

/** A second session on Meridian's database, which keeps a transaction open until Meridian waits for it. */
export type BlockingSession = {
  /**
   * Runs statements in a transaction, starts `ask`, waits until it is blocked by that transaction, runs the statements of
   * `beforeCommit`, and then commits.
   * @returns the response, and the wait event of Meridian's session (`pg_stat_activity.wait_event`)
   */
  readonly hold: <Answer>(
    statements: Statements,
    ask: () => Promise<Answer>,
    beforeCommit?: Statements,
  ) => Promise<{ answer: Answer; waitedFor: string }>
  readonly end: () => Promise<void>
}

/** Maximum time until Meridian reaches the lock, in milliseconds. A busy machine takes long. */
const WAIT_LIMIT_MS = 30_000

/** Opens a session on the PostgreSQL server at `url`. */
export async function openBlockingSession(url: string): Promise<BlockingSession> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()

  async function findWait(): Promise<string | null> {
    const { rows } = await client.query<{ wait_event: string }>(
      `select wait_event from pg_stat_activity
       where datname = current_database() and application_name = 'meridian' and wait_event_type = 'Lock'`,
    )
    return rows[0]?.wait_event ?? null
  }

  return {
    async hold(statements, ask, beforeCommit = []) {
      await client.query('begin')
      // node-postgres declares a mutable array but does not change it.
      for (const [text, values] of statements) await client.query(text, values as unknown[])
      let isAnswered = false
      const asked = ask().finally(() => {
        isAnswered = true
      })
      // The request may fail before it is awaited; the error is thrown below.
      asked.catch(() => {})
      let waitedFor: string | null = null
      for (
        const endMs = Date.now() + WAIT_LIMIT_MS;
        waitedFor === null && !isAnswered && Date.now() < endMs;
      ) {
        waitedFor = await findWait()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      for (const [text, values] of beforeCommit) await client.query(text, values as unknown[])
      await client.query('commit')
      const answer = await asked
      if (waitedFor === null) throw new Error('the product did not wait for anybody')
      return { answer, waitedFor }
    },
    end: () => client.end(),
  }
}
