import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/meridian.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, splitStatements } from './migrate.ts'

let database: Database
let dir: string

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const OURS = join(import.meta.dirname, '../../../../migrations')
const OWN = await readdir(OURS)

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'meridian-migrations-'))
  await cp(OURS, dir, { recursive: true })
})
afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
  await database.execute('drop table if exists one, two')
  await database.execute('delete from schema_migrations where name <> all($1)', [OWN])
})

test('what was applied is not applied again', async () => {
  expect(await migrate(database.db, dir)).toEqual([])
  await add('9003-two.sql', 'create table two (n integer);')
  await add(
    '9002-one.sql',
    '-- A comment; with a semicolon\ncreate table one (n integer);\ninsert into one values (1);\n',
  )
  expect(await migrate(database.db, dir)).toEqual(['9002-one.sql', '9003-two.sql'])
  expect(await migrate(database.db, dir)).toEqual([])
  expect((await database.execute('select n from one')).rows).toEqual([{ n: 1 }])
})

test('an account that was never confirmed becomes a registration, and every other account stays', async () => {
  const old = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
  await migrate(old.db, dir, (name) => name < '0011')
  const [waiting, confirmed] = [randomUUID(), randomUUID()]
  const insert = `insert into profiles (id, email, full_name, email_verified) values ($1, $2, 'Ada', $3)`
  await old.execute(insert, [waiting, 'Waiting@example.com', false])
  await old.execute(insert, [confirmed, 'Confirmed@example.com', true])
  await old.execute(`insert into accounts (id, user_id, account_id, provider_id, password)
    select gen_random_uuid(), id, id, 'credential', 'hash of ' || full_name from profiles`)
  await migrate(old.db, dir)
  const { rows } = await old.execute('select id, email, full_name, password from registrations')
  expect(rows).toEqual([
    { id: waiting, email: 'waiting@example.com', full_name: 'Ada', password: 'hash of Ada' },
  ])
  const kept = await old.execute('select id, email from profiles')
  expect(kept.rows).toEqual([{ id: confirmed, email: 'confirmed@example.com' }])
  await old.close()
})

test('processes that start together apply each migration once', async () => {
  await add('9002-one.sql', 'create table one (n integer);')
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.db, dir)))
  expect(applied.flat()).toEqual(['9002-one.sql'])
})

test('a migration that fails halfway leaves nothing behind and can be tried again', async () => {
  await add('9002-one.sql', 'create table one (n integer);\ninsert into nowhere values (1);')
  await expect(migrate(database.db, dir)).rejects.toThrow('relation "nowhere" does not exist')
  await add('9002-one.sql', 'create table one (n integer);')
  expect(await migrate(database.db, dir)).toEqual(['9002-one.sql'])
})

test('a file that was changed after it was applied is refused', async () => {
  await add('9002-one.sql', 'create table one (n integer);')
  await migrate(database.db, dir)
  await add('9002-one.sql', 'create table one (n bigint);')
  await expect(migrate(database.db, dir)).rejects.toThrow(
    'Migration 9002-one.sql was changed after it was applied. Add a new migration instead.',
  )
})

test('a database that is newer than the program is refused before it is touched', async () => {
  await add('9003-two.sql', 'create table two (n integer);')
  await migrate(database.db, dir)
  await rm(join(dir, '9003-two.sql'))
  await add('9002-one.sql', 'create table one (n integer);')
  await expect(migrate(database.db, dir)).rejects.toThrow(
    'The database has migrations this program does not know: 9003-two.sql.',
  )
  await expect(database.execute('select n from one')).rejects.toThrow('relation "one" does not exist')
})

describe('the statements of a file', () => {
  test.each([
    ['end with a semicolon at the end of a line', 'a;\nb ; \n c', ['a', 'b', 'c']],
    ['keep a semicolon inside a line', "insert into t values ('a;b');", ["insert into t values ('a;b')"]],
    ['have no comments of their own line', '-- a;\nb\n  -- c;\n;', ['b']],
    [
      'keep the body of a function whole',
      'create function f() as $$\nbegin\n  a;\n  b;\nend\n$$;\nc;',
      ['create function f() as $$\nbegin\n  a;\nb;\nend\n$$', 'c'],
    ],
    ['may be none', '\n-- nothing\n', []],
  ])('%s', (_case, text, statements) => {
    expect(splitStatements(text)).toEqual(statements)
  })
})

function add(name: string, text: string): Promise<void> {
  return writeFile(join(dir, name), text)
}
