import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBackup } from '#server/platform/db/backup/backup-file.ts'
import { restoreBackup } from '#server/platform/db/backup/restore-backup.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { buildJobQueue } from '#server/platform/jobs/job-queue.ts'
import { buildLog } from '#server/platform/log.ts'
import { bookAppointment, startMeridian, toCookieHeader } from '#tests/support/meridian.ts'
import { DEMO_SLUG } from '#tools/seed.ts'
import { DEMO_LOGIN } from './demo-account.ts'
import { ALL_JOBS } from './jobs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RELEASES_DIR = join(ROOT, 'tests/releases')
const RELEASES = (await readdir(RELEASES_DIR))
  .filter((name) => name.endsWith('.backup'))
  .map((name) => name.replace(/\.backup$/, ''))

test('every release from 0.2.0 on is here', () => {
  expect(RELEASES).toContain('0.2.0')
})

describe.each(RELEASES)('release %s', (release) => {
  test('has the migrations that it was released with', async () => {
    expect(await listChanged(release, readMigration)).toEqual([])
  })

  test('a released migration that was changed or removed is found', async () => {
    const changed = await listChanged(release, async (path) => `${await readMigration(path)} `)
    expect(changed).toContain('migrations/0001-accounts.sql')
    const isRemoved = (path: string) => path === 'migrations/0002-calendars.sql'
    expect(
      await listChanged(release, async (path) => (isRemoved(path) ? null : readMigration(path))),
    ).toEqual(['migrations/0002-calendars.sql'])
  })

  test('its database is upgraded, and its owner logs in, sees the appointments and books', async () => {
    const meridian = await startMeridian({ database: await restoreRelease(release) })
    const login = await meridian.post('/api/auth/sign-in', DEMO_LOGIN)
    expect(login.statusCode).toBe(200)
    const cookie = toCookieHeader(login)
    const { database } = meridian
    const type = await database.db
      .selectFrom('appointment_types')
      .select(['id', 'calendar_id'])
      .where('name', '=', 'Online session')
      .executeTakeFirstOrThrow()
    const url = `/api/calendars/${type.calendar_id}/appointments`
    const before = (await meridian.as({ cookie }).get(url)).json()
    // These are five upcoming appointments of the demo practice, and one booked in that release.
    expect(before.total).toBe(6)
    const body = { starts_at: '2027-01-08T14:00:00Z', appointment_type_id: type.id }
    const booked = await bookAppointment(meridian, DEMO_SLUG, body)
    expect(booked.statusCode).toBe(201)
    const after = (await meridian.as({ cookie }).get(url)).json()
    expect(after.total).toBe(7)
    // The restored database has every migration of a new database.
    const applied = await database.execute('select name from schema_migrations order by name')
    expect(applied.rows.map(({ name }) => name)).toEqual((await readdir(join(ROOT, 'migrations'))).sort())
    await meridian.stop()
  })
})

test.each([
  [0, { kind: 'days', days: 0 }],
  [729, { kind: 'days', days: 729 }],
  [730, { kind: 'none' }],
])('an upgrade keeps a booking window of %i days. Source: rule T67', async (days, expected) => {
  const database = await restoreRelease('0.2.0')
  await migrate(database.db, undefined, (name) => name < '0065')
  await database.execute('update calendars set booking_window_days = $1', [days])
  await migrate(database.db)
  const { rows } = await database.execute('select distinct booking_window from calendars')
  expect(rows).toEqual([{ booking_window: expected }])
  await database.close()
})

/** Lists the files of a release that have changed. `read` returns null for a deleted file. */
async function listChanged(
  release: string,
  read: (path: string) => Promise<string | null>,
): Promise<string[]> {
  const lines = (await readFile(join(RELEASES_DIR, `${release}.sha256`), 'utf8')).trim().split('\n')
  const changed: string[] = []
  for (const line of lines) {
    const [checksum = '', path = ''] = line.split('  ')
    const text = await read(path)
    if (text === null || createHash('sha256').update(text).digest('hex') !== checksum) changed.push(path)
  }
  return changed
}

function readMigration(path: string): Promise<string | null> {
  return readFile(join(ROOT, path), 'utf8').catch(() => null)
}

/** Restores a database as a release left it, in the same way as `npm run restore`. */
async function restoreRelease(release: string): Promise<Database> {
  const database = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
  const { head, parts } = await readBackup(join(RELEASES_DIR, `${release}.backup`))
  await migrate(database.db, undefined, (name) => head.migrations.includes(name))
  const jobs = buildJobQueue(database, buildLog('silent'), ALL_JOBS)
  await jobs.start()
  await jobs.stop()
  await restoreBackup(database.db, { head, parts })
  return database
}
