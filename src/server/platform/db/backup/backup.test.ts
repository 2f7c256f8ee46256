import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { insertHardToBackUpData, readAllTables } from '#tests/support/whole-database.ts'
import type { Database } from '../database.ts'
import { readBackup } from './backup-file.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let meridian: TestMeridian
let empty: Database
let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-backup-'))
  path = join(folder, 'whole.backup')
  meridian = await startMeridian()
  empty = await openTestDatabase()
  await insertHardToBackUpData(meridian)
  await meridian.jobs.stop()
  await back(path)
})
afterAll(async () => {
  await Promise.all([meridian.stop(), empty.close(), rm(folder, { recursive: true })])
})

test('a backup is one file, readable by its owner only', async () => {
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(await readdir(folder)).toEqual(['whole.backup'])
})

test('one that is being made, or was broken off, is not written over', async () => {
  const unfinished = join(folder, 'other.backup.unfinished')
  await writeFile(unfinished, 'half')
  await expect(back(join(folder, 'other.backup'))).rejects.toThrow(`${unfinished} is there already`)
  expect(await readFile(unfinished, 'utf8')).toBe('half')
  await rm(unfinished)
})

test('a backup that is not whole, of another version, or none is refused and leaves the database empty', async () => {
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
  const broken = [
    { contents: (await readFile(path)).subarray(0, -200), reason: 'cannot be read as a backup' },
    { contents: gzipSync(lines.slice(0, -3).join('\n')), reason: 'its end is missing' },
    { contents: gzipSync(lines.toSpliced(-4, 1).join('\n')), reason: 'its end is missing' },
    { contents: 'something else', reason: 'cannot be read as a backup' },
    { contents: gzipSync('{"something":"else"}'), reason: 'is not a backup of this program' },
    changed('"migrations":["', '"migrations":["9999-later.sql","', 'of a newer version, with 9999-later.sql'),
    changed('"migrations":["', '"migrations":["0001-foundation.sql","', 'of a version before 0.2.0'),
    changed(/"migrations":\["[^"]+",/, '"migrations":[', 'and the backup has not'),
    changed(/"jobsVersion":\d+/, '"jobsVersion":1', 'a job queue of another version'),
    changed('"public.profiles"', '"pg_authid"', 'does not know pg_authid'),
    changed('"full_name"', '"1) --"', 'does not know public.profiles, 1) --'),
  ]
  function changed(from: string | RegExp, to: string, reason: string) {
    return { contents: gzipSync(lines.join('\n').replace(from, to)), reason }
  }
  for (const { contents, reason } of broken) {
    const other = join(folder, 'broken.backup')
    await writeFile(other, contents)
    await expect(restore(other)).rejects.toThrow(reason)
  }
  const tables = Object.entries(await readAllTables(empty)).filter(([table]) => table.startsWith('public.'))
  expect(tables.filter(([, rows]) => rows.length > 0)).toEqual([])
})

test('restored into an empty database it has every row of every table; over rows it is refused', async () => {
  const everything = await readAllTables(meridian.database)
  expect(everything['public.appointments']).toHaveLength(1_204)
  await restore(path)
  expect(await readAllTables(empty)).toEqual(everything)
  await expect(restore(path)).rejects.toThrow('restored into an empty database only')
  expect(await readAllTables(empty)).toEqual(everything)
})

function back(to: string): Promise<number> {
  return writeBackup(meridian.database.db, { path: to, now: new Date(), secretKey: 'a key' })
}

async function restore(from: string): Promise<number> {
  return restoreBackup(empty.db, await readBackup(from))
}
