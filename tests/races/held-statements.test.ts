import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { inTransaction, tryInSavepoint } from '#server/platform/db/transaction.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'

/** Statements that are sent along with the next one (`held-statements.ts`), on a server with one connection. */
let database: Database

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  database = await openDatabase({ url, dataDir: 'unused', poolSize: 1 })
  await database.execute('create table lines (line text primary key)')
})
afterAll(() => database.close())

const write = (line: string) => sql`insert into lines values (${line})`
const listLines = async () =>
  (await database.execute('select line from lines order by line')).rows.map(({ line }) => line)

test('what a transaction wrote is gone when its first or its last statement fails, and the next one is whole', async () => {
  await expect(
    inTransaction(database.db, async (trx) => {
      await sql`select 1 / 0`.execute(trx)
    }),
  ).rejects.toThrow('division by zero')
  await expect(
    inTransaction(database.db, async (trx) => {
      await write('lost').execute(trx)
      await sql`select 1 / 0`.execute(trx)
    }),
  ).rejects.toThrow('division by zero')
  await inTransaction(database.db, (trx) => write('kept').execute(trx))
  expect(await listLines()).toEqual(['kept'])
})

test('a savepoint undoes what failed after it and nothing else', async () => {
  const failures: unknown[] = []
  const attempts = await inTransaction(database.db, async (trx) => {
    await write('before').execute(trx)
    const first = await tryInSavepoint(
      trx,
      async () => {
        await write('undone').execute(trx)
        await write('kept').execute(trx)
      },
      (error) => failures.push(error),
    )
    const second = await tryInSavepoint(
      trx,
      async () => {
        await write('second').execute(trx)
      },
      (error) => failures.push(error),
    )
    return [first, second]
  })
  expect(attempts).toEqual([false, true])
  expect(String(failures)).toContain('duplicate key')
  expect(await listLines()).toEqual(['before', 'kept', 'second'])
})

test('a transaction that does nothing leaves nothing behind', async () => {
  await inTransaction(database.db, async () => {})
  await database.execute(`insert into lines values ('alone')`)
  expect(await listLines()).toContain('alone')
  const { rows } = await database.execute('select now() = statement_timestamp() as is_alone')
  expect(rows).toEqual([{ is_alone: true }])
})

test('a connection that ends between two statements is told, and the next transaction has another', async () => {
  await expect(
    inTransaction(database.db, async (trx) => {
      await write('never').execute(trx)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    }),
  ).rejects.toThrow()
  expect(await listLines()).not.toContain('never')
})
