import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBackup } from '#server/platform/db/backup/backup-file.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startMeridian, TEST_SECRET_KEY, type TestMeridian } from '#tests/support/meridian.ts'
import { providedValue } from '#tests/support/provided-value.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { insertHardToBackUpData, readAllTables } from '#tests/support/whole-database.ts'
import { readConfig } from '../config.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { makeNightlyBackup } from './backup-jobs.ts'
import { type Backups, buildBackups } from './backups.ts'
import { restoreInto } from './restore-into.ts'
import { writeInProcess } from './write-in-process.ts'

const NIGHT = Date.parse('2027-03-03T03:23:00Z')
const NAME = 'meridian-2027-03-03-0323.backup'

let folder: string
let dataDir: string
let backupDir: string
let database: Database
let meridian: TestMeridian

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-backups-'))
  dataDir = join(folder, 'data')
  backupDir = join(folder, 'backups')
  const template = await providedValue('databaseTemplate')
  if (template !== null) await cp(join(template, 'pgdata'), join(dataDir, 'pgdata'), { recursive: true })
  await writeFile(join(dataDir, 'secret-key'), TEST_SECRET_KEY)
  database = await openDatabase({ dataDir, poolSize: 1 })
  meridian = await startMeridian({ database, hasWorkers: false })
  await insertHardToBackUpData(meridian)
})
beforeEach(() => mkdir(backupDir))
afterEach(() => rm(backupDir, { recursive: true }))
afterAll(async () => {
  await meridian.stop()
  await rm(folder, { recursive: true })
})

function build(write?: typeof writeInProcess): Backups {
  const config = { DATA_DIR: dataDir, BACKUP_DIR: backupDir, SECRET_KEY: undefined }
  const log = { info: () => {} }
  return buildBackups({ database, config, now: () => NIGHT, log, ...(write === undefined ? {} : { write }) })
}

async function problemsAt(ms: number): Promise<string[]> {
  const config = readConfig({ SECRET_KEY: TEST_SECRET_KEY, BACKUP_DIR: backupDir })
  const findings = await checkDatabase(database, config, () => ms)
  return findings.flatMap(({ about, problem }) => (about === 'backup' && problem !== null ? [problem] : []))
}

test('while the database is in use, a backup is made of one moment, tested, and for its owner only', async () => {
  // Each of these writes two rows that belong together.
  let isOver = false
  let pairs = 0
  const write = async () => {
    for (; !isOver; pairs += 1) {
      await database.db.transaction().execute(async (trx) => {
        const row = { event_id: `pair ${pairs}`, type: 'test', received_at: new Date(NIGHT) }
        for (const provider of ['stripe', 'paypal'] as const)
          await trx
            .insertInto('payment_events')
            .values({ provider, ...row })
            .execute()
      })
      await setTimeout(20)
    }
  }
  const writing = write()
  while (pairs === 0) await setTimeout(5)
  const { path, rowCount } = await build().make()
  isOver = true
  await writing
  expect(pairs).toBeGreaterThan(3)
  expect(path).toBe(join(backupDir, NAME))
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(await readdir(backupDir)).toEqual([NAME])

  const other = await openTestDatabase()
  const backup = await readBackup(path)
  expect(backup.head.secretKey).toBe(TEST_SECRET_KEY)
  expect(await restoreInto(other, backup)).toBe(rowCount)
  const pairsOf = async (provider: 'stripe' | 'paypal') => {
    const { rows } = await other.execute(
      `select event_id from payment_events where provider = $1 and event_id like 'pair %' order by event_id`,
      [provider],
    )
    return rows
  }
  expect(await pairsOf('stripe')).not.toEqual([])
  expect(await pairsOf('stripe')).toEqual(await pairsOf('paypal'))
  const [all, restored] = [await readAllTables(database), await readAllTables(other)]
  expect(restored['public.appointments']).toEqual(all['public.appointments'])
  expect(restored['public.questions']).toEqual(all['public.questions'])
  await other.close()

  expect(await problemsAt(NIGHT + 47 * 3_600_000)).toEqual([])
  expect(await problemsAt(NIGHT + 49 * 3_600_000)).toEqual([
    expect.stringContaining('There is no backup of the last two days'),
  ])
})

describe('a backup that does not work is not kept, leaves the earlier ones, and the doctor says why:', () => {
  const EARLIER = ['meridian-2020-01-01-0323.backup', 'meridian-2027-03-02-0323.backup']

  async function expectFailure(backups: Backups, reason: RegExp): Promise<void> {
    for (const name of EARLIER) await writeFile(join(backupDir, name), 'whole')
    await expect(backups.make()).rejects.toThrow(reason)
    expect(await readdir(backupDir)).toEqual(EARLIER)
    expect(await problemsAt(NIGHT)).toEqual([expect.stringMatching(reason)])
  }

  test('it cannot be restored', async () => {
    await database.execute('create table strange (id integer); insert into strange values (1)')
    await expectFailure(build(), /does not know public\.strange/)
    await database.execute('drop table strange')
  })

  test('there is no room for it', async () => {
    // It has eight terabytes, none of which are on the disk.
    const sparse = join(dataDir, 'pgdata/sparse')
    await writeFile(sparse, '')
    await truncate(sparse, 2 ** 43)
    await expectFailure(build(), /has room for \d+ MB, and a backup needs \d+ MB/)
    await rm(sparse)
  })

  test('its copy cannot be opened', async () => {
    const filesDir = join(folder, 'broken')
    await mkdir(filesDir)
    await writeFile(join(filesDir, 'PG_VERSION'), 'broken')
    await expectFailure(
      build((request) => writeInProcess({ ...request, filesDir }, database)),
      /The database could not be opened/,
    )
  })

  test('requests would wait too long for its copy; they go on at once', async () => {
    await expectFailure(
      build((request) => writeInProcess(request, database, 1)),
      /took longer than 0\.001 seconds/,
    )
  })

  test('and the next one that works ends the report', async () => {
    await build(async ({ path }) => {
      await writeFile(path, 'whole')
      return 1
    }).make()
    expect(await problemsAt(NIGHT)).toEqual([])
  })
})

/** Stands in for the process, which another test starts. */
const quick: typeof writeInProcess = async ({ path }) => {
  await writeFile(path, 'whole')
  return 1
}

test('after a backup, those are deleted that are neither of the last seven days nor of four weeks', async () => {
  const days = Array.from({ length: 30 }, (_, i) =>
    new Date(NIGHT - (i + 1) * 86_400_000).toISOString().slice(0, 10),
  )
  for (const day of days) await writeFile(join(backupDir, `meridian-${day}-0323.backup`), 'whole')
  await writeFile(join(backupDir, 'mine.backup'), 'another')
  await build(quick).make()
  const kept = await readdir(backupDir)
  expect(kept).toContain('mine.backup')
  expect(kept).toContain(NAME)
  expect(kept).toHaveLength(1 + 9)
})

test('one is made at a time, never over another, and what a killed process left is removed', async () => {
  const leftover = join(backupDir, '.meridian-backup-in-progress')
  await mkdir(leftover)
  await writeFile(join(leftover, 'half'), 'half')
  const backups = build(quick)
  const first = backups.make(join(backupDir, 'first.backup'))
  await expect(backups.make(join(backupDir, 'second.backup'))).rejects.toThrow('is being made already')
  await first
  await expect(backups.make(join(backupDir, 'first.backup'))).rejects.toThrow('is there already')
  expect(existsSync(leftover)).toBe(false)
  expect(await readdir(backupDir)).toEqual(['first.backup'])
})

describe('a nightly backup that fails', () => {
  async function runNight(operatorMailbox: { name: string; address: string } | null) {
    const logged: string[] = []
    const sent: unknown[] = []
    await makeNightlyBackup({
      nightlyBackups: build(async () => {
        throw new Error('the reason')
      }),
      operatorMailbox,
      log: { error: (_: unknown, message?: string) => void logged.push(message ?? '') },
      jobs: { send: async (_job, payload) => void sent.push(payload) },
    })
    return { logged, sent }
  }

  test('is logged and emailed to the operator with its reason', async () => {
    const to = { name: 'Desk', address: 'desk@example.org' }
    expect(await runNight(to)).toEqual({
      logged: ['backup failed'],
      sent: [{ to, reason: 'No backup was made: the reason' }],
    })
  })

  test('is logged where no address of the operator is known', async () => {
    expect(await runNight(null)).toEqual({ logged: ['backup failed'], sent: [] })
  })
})
