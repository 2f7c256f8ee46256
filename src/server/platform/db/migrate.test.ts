import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/test-database.ts'
import type { Database } from './database.ts'
import { DatabaseVersionError, migrate, splitStatements } from './migrate.ts'

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
    'The database has migrations this program does not know: 9003-two.sql. Start the version that made them, or a later one.',
  )
  await expect(database.execute('select n from one')).rejects.toThrow('relation "one" does not exist')
})

test('a database of a version before 0.2.0 is refused with what to do instead', async () => {
  await database.execute("insert into schema_migrations (name, checksum) values ('0001-foundation.sql', '')")
  await expect(migrate(database.db, dir)).rejects.toThrow(
    new DatabaseVersionError(
      'This database was made by a version before 0.2.0 and cannot be upgraded. ' +
        'Start with an empty database: set DATABASE_URL or DATA_DIR to another one.',
    ),
  )
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
