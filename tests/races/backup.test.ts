import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { book, makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { makePracticeFolder, type PracticeFolder } from '#tests/support/practice-folder.ts'
import { readRows } from '#tests/support/race-track.ts'
import { addAppointments, addLocation, addType, connectStripe } from '#tests/support/stored-rows.ts'

/** The settings that say which database. */
type Place = { readonly DATA_DIR: string } & Partial<Record<'DATABASE_URL' | 'SECRET_KEY', string>>

const SECRET_KEY = 'the key of a product on a server'

let practice: PracticeFolder
let folder: string
let embedded: Place
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-backup-'))
  file = join(folder, 'first.backup')
  practice = await makePracticeFolder()
  embedded = { DATA_DIR: practice.dataDir }
  await fill(practice)
  await writeFile(join(practice.dataDir, 'secret-key'), 'a key that was made on the first start', {
    mode: 0o600,
  })
})
afterAll(async () => {
  await practice.remove()
  await rm(folder, { recursive: true })
})

test('a backup of the embedded database is one file, readable by its owner only', async () => {
  expect(await run('backup', embedded, file)).toMatchObject({ code: 0, stderr: '' })
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect(await run('backup', embedded, file)).toMatchObject({
    code: 1,
    stderr: `${file} is there already. Choose another name.\n`,
  })
})

test('restored into an empty directory it has every row of every table, and the key', async () => {
  const place = await makePlace('again')
  expect(await run('restore', place, file)).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(join(place.DATA_DIR, 'secret-key'), 'utf8')).toBe(
    'a key that was made on the first start',
  )
  expect(await readEverything(place)).toEqual(await readEverything(embedded))
})

test('from the embedded database it moves to a server, from there to another, and back, and loses nothing', async () => {
  const [server, other, back] = [
    await makePlace('server', true),
    await makePlace('other', true),
    await makePlace('back'),
  ]
  expect(await run('restore', server, file)).toMatchObject({ code: 0, stderr: '' })
  const second = join(folder, 'second.backup')
  const made = await run('backup', server, second)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('keep that too')
  for (const place of [other, back]) {
    expect(await run('restore', place, second)).toMatchObject({ code: 0, stderr: '' })
    expect(await readEverything(place)).toEqual(await readEverything(embedded))
  }
})

test('over a database that has rows it is refused, and they stay as they were', async () => {
  const before = await readEverything(embedded)
  const taken = join(folder, 'without-key.backup')
  const server = await makePlace('taken', true)
  expect(await run('backup', { ...embedded, SECRET_KEY }, taken)).toMatchObject({ code: 0 })
  for (const place of [embedded, server]) {
    const isFirst = place === server
    expect(await run('restore', place, taken)).toMatchObject({ code: isFirst ? 0 : 1 })
    expect(await run('restore', place, taken)).toMatchObject({
      code: 1,
      stderr: 'There are rows in public.profiles. A backup is restored into an empty database only.\n',
    })
  }
  expect(await readEverything(embedded)).toEqual(before)
})

test('a backup that is not whole, or none, is refused and leaves the database empty', async () => {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  const broken = {
    'cut.backup': (await readFile(file)).subarray(0, -200),
    'short.backup': gzipSync(lines.slice(0, -3).join('\n')),
    'newer.backup': gzipSync(lines.join('\n').replace('"migrations":[', '"migrations":["9999-later.sql",')),
    'none.backup': 'something else',
  }
  const place = await makePlace('broken')
  for (const [name, contents] of Object.entries(broken)) {
    await writeFile(join(folder, name), contents)
    const ending = await run('restore', place, join(folder, name))
    expect(ending.code).toBe(1)
    expect(ending.stderr).toMatch(/^[^\n]+(not whole|not a backup|cannot be read|newer version)[^\n]*\n$/)
    expect(existsSync(join(place.DATA_DIR, 'secret-key'))).toBe(false)
  }
  expect(await run('restore', place, file)).toMatchObject({ code: 0, stderr: '' })
})

test('while the product has the embedded database open both commands are refused', async () => {
  const database = await openDatabase({ dataDir: practice.dataDir, poolSize: 1 })
  const [backup, restore] = [
    await run('backup', embedded, join(folder, 'never.backup')),
    await run('restore', embedded, file),
  ]
  await database.close()
  for (const ending of [backup, restore]) expect(ending.code).toBe(1)
  expect(backup.stderr).toMatch(/^Another Meridian process is using the data directory/)
})

/** Rows of most tables, with what is easily changed on the way: fractions of a second, zones, JSON, line ends, quotes. */
async function fill({ dataDir, slug }: PracticeFolder): Promise<void> {
  const meridian = await startMeridian({ database: await openDatabase({ dataDir, poolSize: 1 }) })
  await book(
    meridian,
    slug,
    {
      description: 'Two lines,\n\\backslashes\\ "quotes", 한국어 and 🎹',
      customer: { name: "O'Brien; drop table profiles --", email: 'o.brien@example.com' },
    },
    { 'idempotency-key': 'kept' },
  )
  const owner = await makeOwner(meridian, { tier: 'business' })
  const calendar = await makeCalendar(meridian, owner, { timezone: 'Asia/Kathmandu' })
  await addType(meridian, calendar.id, { price_cents: 4_200 })
  await addLocation(meridian, owner)
  await connectStripe(meridian, calendar.id)
  // More than two batches.
  const past = Array.from({ length: 1_203 }, (_, i) => ({
    startsAt: new Date(Date.parse('2024-01-01T00:00:00.123Z') + i * 3_600_000).toISOString(),
  }))
  await addAppointments(meridian, calendar.id, past)
  await meridian.stop()
}

async function makePlace(name: string, onServer = false): Promise<Place> {
  const DATA_DIR = join(folder, name)
  return onServer
    ? { DATA_DIR, DATABASE_URL: await createDatabase(inject('postgresUrl')), SECRET_KEY }
    : { DATA_DIR }
}

/** Every row of every table as text, in an order of its own; not by the code that makes backups. */
async function readEverything(place: Place): Promise<Record<string, string[]>> {
  const database = await openDatabase({ url: place.DATABASE_URL, dataDir: place.DATA_DIR, poolSize: 1 })
  try {
    await database.execute(`set time zone 'UTC'`)
    const everything: Record<string, string[]> = {}
    for (const table of await listTables(database)) {
      const rows = await readRows(database, `select t::text as row from ${table} as t order by 1`)
      everything[table] = rows.map(({ row }) => String(row))
    }
    expect(everything['public.appointments']).toHaveLength(1_204)
    return everything
  } finally {
    await database.close()
  }
}

async function listTables(database: Database): Promise<string[]> {
  const tables = await readRows(
    database,
    `select 'public.' || tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`,
  )
  return [...tables.map(({ name }) => String(name)).sort(), 'pgboss.queue', 'pgboss.schedule', 'pgboss.job']
}

async function run(command: 'backup' | 'restore', place: Place, path: string) {
  const root = join(import.meta.dirname, '../..')
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [`tools/${command}.ts`, path], {
      cwd: root,
      env: { PATH: process.env.PATH, ...place },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    // What `execFile` rejects with when the command fails.
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}
