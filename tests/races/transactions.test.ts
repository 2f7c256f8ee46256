import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'

/**
 * Tests transactions whose `begin` is sent together with their first statement (`send-begin-with-first-statement.ts`), on a
 * server with one connection.
 */
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

test('a text that was refused before it could be planned is planned the next time', async () => {
  const fail = prepareStatement('fail', 'select 1 / $1::integer')
  const late = prepareStatement<{ line: string }>('late', 'select $1::text as line')
  await expect(
    inTransaction(database.db, async (trx) => {
      await fail(trx, [0])
      await late(trx, ['a'])
    }),
  ).rejects.toThrow('division by zero')
  const rows = await inTransaction(database.db, async (trx) => [await fail(trx, [1]), await late(trx, ['b'])])
  expect(rows).toEqual([[expect.anything()], [{ line: 'b' }]])
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
