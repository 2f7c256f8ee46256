import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'

/**
 * A server's operator can change settings for every database on it. Meridian sets those that it needs on its own connections.
 */
let database: Database
beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const before = await openDatabase({ url, dataDir: 'not used', poolSize: 1 })
  const name = new URL(url).pathname.slice(1)
  await before.execute(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  await before.execute(`alter database ${name} set random_page_cost = 4`)
  await before.close()
  database = await openDatabase({ url, dataDir: 'not used', poolSize: 1 })
})
afterAll(() => database.close())

test('transactions are read committed, whatever the database has as its default', async () => {
  const { rows } = await database.execute('show transaction_isolation')
  expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
})

test('a server is told that its pages are in memory or on a solid-state disk', async () => {
  const { rows } = await database.execute('show random_page_cost')
  expect(rows).toEqual([{ random_page_cost: '1.1' }])
})
