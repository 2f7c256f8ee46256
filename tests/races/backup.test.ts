import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { startMeridian, TEST_SECRET_KEY } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { makePracticeFolder, type PracticeFolder, startBookingRush } from '#tests/support/practice-folder.ts'
import { startServer } from '#tests/support/server-process.ts'
import { listCompleteAppointments } from '#tests/support/whole-appointments.ts'
import { insertHardToBackUpData, readAllTables } from '#tests/support/whole-database.ts'

/** The settings that select the database. */
type Place = { readonly DATA_DIR: string } & Partial<Record<'DATABASE_URL' | 'SECRET_KEY', string>>

/** The key stored in the data directory. */
const KEY = TEST_SECRET_KEY

let practice: PracticeFolder
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-backup-'))
  practice = await makePracticeFolder()
})
afterAll(async () => {
  await practice.remove()
  await rm(folder, { recursive: true })
})

test('during the heaviest minute, the running product makes a backup of one moment, with all that was booked before', {
  tags: ['slow'],
  // The backup takes two minutes beside the bookings, and longer beside other tests.
  timeout: 600_000,
}, async () => {
  const server = await startServer(practice.dataDir, { DEMO: 'false' })
  const rush = startBookingRush(server, practice.slug)
  await rush.until(30)
  const before = [...rush.booked]
  const ending = await run('backup', { DATA_DIR: practice.dataDir }, 'rush.backup')
  expect(ending).toMatchObject({ code: 0, stderr: '' })
  expect(ending.stdout).toMatch(/rows in .*rush\.backup, restored as a test/)
  await rush.until(before.length + 30)
  await rush.over()
  expect(rush.oddAnswers).toEqual([])
  await server.end('SIGTERM')
  const restored: Place = { DATA_DIR: join(folder, 'rush') }
  await run('restore', restored, 'rush.backup')
  const database = await openDatabase({ dataDir: restored.DATA_DIR, poolSize: 1 })
  const appointments = await listCompleteAppointments(database)
  await database.close()
  expect(appointments).toEqual(expect.arrayContaining(before))
})

test('a practice moves from the embedded database to a server and back, with every row and its key', {
  tags: ['slow'],
}, async () => {
  await practice.inspect(async (database) => {
    const meridian = await startMeridian({ database })
    await insertHardToBackUpData(meridian)
    await meridian.stop()
  })
  const everything = await practice.inspect(readAllTables)
  const server: Place = {
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: await createDatabase(inject('postgresUrl')),
    SECRET_KEY: 'the key of the settings, at least 32 characters',
  }
  await run('backup', { DATA_DIR: practice.dataDir }, 'embedded.backup')
  const moved = await run('restore', server, 'embedded.backup')
  expect(moved.stdout).toContain(`set that in ${join(server.DATA_DIR, 'secret-key')}`)
  expect(await readFile(join(server.DATA_DIR, 'secret-key'), 'utf8')).toBe(KEY)
  expect(await readPlace(server)).toEqual(everything)

  const made = await run('backup', server, 'server.backup')
  expect(made.stdout).toContain('Without SECRET_KEY')
  const home: Place = { DATA_DIR: join(folder, 'home') }
  const restored = await run('restore', home, 'server.backup')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('set the one that the backup was made with')
  const fit: Place = { DATA_DIR: join(folder, 'fit'), SECRET_KEY: KEY }
  expect((await run('restore', fit, 'server.backup')).stdout).toContain('It has the key of the backup.')
  expect(await readPlace(home)).toEqual(everything)
})

test('on a server, too, the file of another backup is not written over, nor removed', {
  tags: ['slow'],
}, async () => {
  const server: Place = {
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: await createDatabase(inject('postgresUrl')),
    SECRET_KEY: 'the key of the settings, at least 32 characters',
  }
  await run('restore', server, 'embedded.backup')
  const unfinished = join(folder, 'twice.backup.unfinished')
  await writeFile(unfinished, 'half')
  const ending = await run('backup', server, 'twice.backup')
  expect(ending.code).toBe(1)
  expect(ending.stderr).toContain(`${unfinished} is there already`)
  expect(await readFile(unfinished, 'utf8')).toBe('half')
})

async function readPlace(place: Place): Promise<Record<string, string[]>> {
  const database = await openDatabase({ url: place.DATABASE_URL, dataDir: place.DATA_DIR, poolSize: 1 })
  try {
    await database.execute(`set time zone 'GMT'`)
    return await readAllTables(database)
  } finally {
    await database.close()
  }
}

/** Runs `npm run backup -- FILE` or `npm run restore -- FILE`. */
async function run(command: 'backup' | 'restore', place: Place, file: string) {
  const options = { cwd: join(import.meta.dirname, '../..'), env: { PATH: process.env.PATH, ...place } }
  try {
    const args = [`tools/${command}.ts`, join(folder, file)]
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, options)) }
  } catch (error) {
    // The error with which `execFile` rejects when the command fails.
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}
