import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import type { Database } from './database.ts'
import { prepareQuery, prepareStatement, runPreparedQuery } from './prepared-statement.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('a query that is built once gives each call its own parameters, under one name', async () => {
  let built = 0
  const insert = prepareQuery((db, { slug, ...row }: { slug: string; public_url: string | null }) => {
    built += 1
    return db
      .insertInto('public_calendars')
      .values({ ...row, slug: sql<string>`lower(${slug})`, calendar_id: null })
      .returning(['slug', 'public_url'])
  })
  const [one, other] = [randomUUID(), randomUUID()]
  const { db } = database
  const first = await insert(db, { slug: one.toUpperCase(), public_url: 'https://one.example' })
  expect(first).toEqual([{ slug: one, public_url: 'https://one.example' }])
  const second = await insert(db, { slug: other, public_url: null })
  expect(second).toEqual([{ slug: other, public_url: null }])
  expect(built).toBe(1)
  expect(await listPrepared('%insert into "public_calendars"%')).toHaveLength(1)
})

test('a statement is planned under its name once, also inside a transaction and after one that failed', async () => {
  const divide = prepareStatement<{ quotient: number }>('divide', 'select 10 / $1::integer as quotient')
  await expect(divide(database.db, [0])).rejects.toThrow('division by zero')
  expect(await divide(database.db, [5])).toEqual([{ quotient: 2 }])
  const inside = await database.db.transaction().execute((trx) => divide(trx, [2]))
  expect(inside).toEqual([{ quotient: 5 }])
  expect(await listPrepared('select 10 / %')).toEqual(['divide'])
})

test('a query that is built each time keeps its plan as well', async () => {
  const find = (slug: string) =>
    runPreparedQuery(
      database.db,
      database.db.selectFrom('public_calendars').select('public_url').where('slug', '=', slug).compile(),
    )
  expect(await find('nobody')).toEqual([])
  expect(await find('nobody else')).toEqual([])
  expect(await listPrepared('select "public_url" from "public_calendars"%')).toHaveLength(1)
})

async function listPrepared(text: string): Promise<unknown[]> {
  const { rows } = await database.execute('select name from pg_prepared_statements where statement like $1', [
    text,
  ])
  return rows.map((row) => row.name)
}
