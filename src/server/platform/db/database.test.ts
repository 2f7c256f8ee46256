import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import type { Database } from './database.ts'
import { isDatabaseUnavailable } from './pg-errors.ts'
import { inTransaction } from './transaction.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase(2_000)
})
afterAll(() => database.close())

/** The two ways to use the single connection. */
const WAYS = {
  'a query': async (text: number, divisor: number) => {
    const { rows } = await sql<{ n: number }>`select ${text}::int / ${divisor}::int as n`.execute(database.db)
    return rows[0]?.n
  },
  'one statement': async (text: number, divisor: number) => {
    const { rows } = await database.execute('select $1::int / $2::int as n', [text, divisor])
    return rows[0]?.n
  },
  'a transaction': (text: number, divisor: number) =>
    inTransaction(database.db, async (trx) => {
      const { rows } = await sql<{ n: number }>`select ${text}::int / ${divisor}::int as n`.execute(trx)
      return rows[0]?.n
    }),
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('after %s that failed', (failing) => {
  test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
    'the next ten answers of %s are the right ones',
    async (way) => {
      await expect(WAYS[failing](1, 0)).rejects.toThrow('division by zero')
      for (let n = 1; n <= 10; n += 1) expect(await WAYS[way](n, 1)).toBe(n)
    },
  )

  test('those who waited for the connection get their own answers', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 11 }, (_, n) => (n === 3 ? WAYS[failing](1, 0) : WAYS['a query'](n, 1))),
    )
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
      ...[0, 1, 2],
      'failed',
      ...[4, 5, 6, 7, 8, 9, 10],
    ])
  })
})

test('the planner counts with pages that are in memory or on a solid-state disk', async () => {
  const { rows } = await database.execute('show random_page_cost')
  expect(rows).toEqual([{ random_page_cost: '1.1' }])
})

test('a transaction that fails leaves nothing behind', async () => {
  const write = (message_id: string) =>
    inTransaction(database.db, async (trx) => {
      await trx.insertInto('sandbox_mails').values({ message_id, mail: '{}' }).execute()
      if (message_id === 'undone') throw new Error('no')
    })
  await write('kept')
  await expect(write('undone')).rejects.toThrow('no')
  const rows = await database.db.selectFrom('sandbox_mails').select('message_id').execute()
  expect(rows).toEqual([{ message_id: 'kept' }])
})

describe('a transaction that lost a race', () => {
  test.each(['40P01', '40001'])('with %s is tried three times in all', async (code) => {
    let attempts = 0
    const lose = (until: number) =>
      inTransaction(database.db, async () => {
        attempts += 1
        if (attempts < until) throw Object.assign(new Error('deadlock detected'), { code })
        return attempts
      })
    expect(await lose(3)).toBe(3)
    attempts = 0
    await expect(lose(4)).rejects.toThrow('deadlock detected')
    expect(attempts).toBe(3)
  })

  test('for another reason is not tried again', async () => {
    let attempts = 0
    await expect(
      inTransaction(database.db, async () => {
        attempts += 1
        throw Object.assign(new Error('duplicate key'), { code: '23505' })
      }),
    ).rejects.toThrow('duplicate key')
    expect(attempts).toBe(1)
  })
})

test('waiting for a second connection inside a transaction ends, and the first one works on', async () => {
  await expect(inTransaction(database.db, () => database.execute('select 1'))).rejects.toThrow(
    'timeout exceeded when trying to connect',
  )
  expect(await WAYS['a query'](7, 1)).toBe(7)
})

describe('the log of the embedded database', () => {
  afterEach(() => vi.useRealTimers())

  test('is written to the tables every five minutes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const other = await openTestDatabase()
    const readCheckpoint = async () => {
      const { rows } = await other.execute('select checkpoint_lsn::text from pg_control_checkpoint()')
      return rows[0]?.checkpoint_lsn
    }
    const before = await readCheckpoint()
    vi.advanceTimersByTime(5 * MINUTE_MS - 1)
    expect(await readCheckpoint()).toBe(before)
    vi.advanceTimersByTime(1)
    await expect.poll(readCheckpoint, { timeout: 30_000 }).not.toBe(before)
    await other.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a database of a test', () => {
  test('is as after the migrations, whatever the test before it has left behind', async () => {
    const first = await openTestDatabase()
    await first.execute('create temp table left_behind (number integer)')
    await first.execute("insert into sandbox_mails (message_id, mail) values ('left behind', '{}')")
    await first.execute("update pgboss.queue set retry_limit = 99 where name = 'reminders'")
    await first.execute("set search_path to 'pgboss'")
    await first.execute('select pg_advisory_lock(4711)')
    await first.close()

    const second = await openTestDatabase()
    const { rows } = await second.execute(
      `select (select count(*)::int from sandbox_mails) as mails, to_regclass('left_behind') as temp_table,
         (select retry_limit <> 99 from pgboss.queue where name = 'reminders') as has_queue,
         (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
         (select count(*)::int > 20 from schema_migrations) as is_migrated`,
    )
    expect(rows).toEqual([{ mails: 0, temp_table: null, has_queue: true, locks: 0, is_migrated: true }])
    await second.close()
  })

  test('is a new one when the test before it has changed the schema', { tags: ['slow'] }, async () => {
    for (const change of [
      'create table left_behind (number integer)',
      'alter table sandbox_mails drop column mail',
      'alter table appointments disable trigger all',
      'create index left_behind on sandbox_mails (mail)',
      'alter table sandbox_mails rename to left_behind',
    ]) {
      const changed = await openTestDatabase()
      await changed.execute(change)
      await changed.close()
    }
    const database = await openTestDatabase()
    const { rows } = await database.execute(
      `select to_regclass('left_behind') as changed,
         (select count(*)::int from pg_trigger where tgenabled = 'D') as disabled,
         (select count(*)::int from pg_attribute where attrelid = 'sandbox_mails'::regclass and attisdropped) as dropped`,
    )
    expect(rows).toEqual([{ changed: null, disabled: 0, dropped: 0 }])
    await database.close()
  })
})

test('a closed database says so, and closing it twice is no mistake', async () => {
  const other = await openTestDatabase()
  await Promise.all([other.close(), other.close()])
  const error = await other.execute('select 1').catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
})
