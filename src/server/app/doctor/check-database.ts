import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findKeyFingerprint, WRONG_SECRET_KEY_MESSAGE } from '#server/platform/secrets/installation-key.ts'
import type { Config } from '../config.ts'
import { hasKeyForFingerprint } from '../secret-key.ts'
import { type Finding, toFailedFinding, toPassedFinding } from './finding.ts'
import {
  type FailedMailCount,
  type JobCount,
  listAppliedMigrations,
  listFailedJobCounts,
  listOverdueJobCounts,
  readBackupStatus,
  readDatabaseClock,
  readMailStatistics,
  readServerVersion,
} from './health-repository.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../../migrations')
/** Oldest supported server version: PostgreSQL 15 (`.env.example`). */
const OLDEST_SERVER = 150_000
/**
 * Maximum difference between the clocks. Holds and codes last only minutes, and processes compare jobs by the
 * database's clock.
 */
const CLOCK_TOLERANCE_MS = 5 * SECOND_MS
const MAIL_ADVICE = 'Check SMTP_URL, and the certificate of the mail server.'
/** Age from which a due job counts as stuck. Workers poll every few seconds. */
const LATE_AFTER_MS = 10 * MINUTE_MS
const GIVEN_UP_WITHIN_MS = 24 * HOUR_MS
/** Age from which a nightly backup counts as missing. */
const BACKUP_OLD_AFTER_MS = 48 * HOUR_MS

/** Checks the database: version, tables, clock, key, and stuck jobs. */
export async function checkDatabase(
  database: Database,
  config: Config,
  now: () => number,
): Promise<Finding[]> {
  const version = await checkVersion(database)
  const clock = await checkClock(database, now)
  const tables = await checkMigrations(database)
  // Skip the other checks: without tables there are no jobs.
  if (tables.problem !== null) return [version, tables, clock]
  return [
    version,
    tables,
    clock,
    await checkKey(database, config),
    ...(await checkJobs(database, now())),
    ...(await checkMails(database)),
    await checkBackup(database, config, now()),
  ]
}

async function checkVersion(database: Database): Promise<Finding> {
  const version = await readServerVersion(database)
  const what = `the version of PostgreSQL is ${Math.floor(version / 10_000)}`
  return version >= OLDEST_SERVER
    ? toPassedFinding('database', what)
    : toFailedFinding('database', what, 'Meridian needs PostgreSQL 15 or newer; upgrade the server.')
}

/**
 * Compares the database's migrations with those of this version; null for a database that the product has never opened.
 */
export async function compareMigrations(
  database: Database,
): Promise<{ readonly missing: readonly string[]; readonly unknown: readonly string[] } | null> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql'))
  const applied = await listAppliedMigrations(database)
  if (applied === null) return null
  return {
    missing: files.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !files.includes(name)),
  }
}

async function checkMigrations(database: Database): Promise<Finding> {
  const what = 'the tables are those of this version'
  const difference = await compareMigrations(database)
  if (difference === null) {
    return toFailedFinding(
      'database',
      what,
      'The database is empty; start Meridian once, which makes the tables.',
    )
  }
  const { missing, unknown } = difference
  if (unknown.length > 0) {
    return toFailedFinding(
      'database',
      what,
      `The database is of a newer version (${unknown.join(', ')}); run that version, or restore a backup of this one.`,
    )
  }
  return missing.length === 0
    ? toPassedFinding('database', what)
    : toFailedFinding(
        'database',
        what,
        `The database lacks ${missing.join(', ')}; start Meridian of this version, which brings it up to date.`,
      )
}

/** Checks that the configured key belongs to this database. Source: rule D14. */
async function checkKey({ db }: Database, config: Config): Promise<Finding> {
  const what = 'SECRET_KEY is the key of the database'
  const fingerprint = await findKeyFingerprint(db)
  if (fingerprint === null || (await hasKeyForFingerprint(config, fingerprint)))
    return toPassedFinding('keys', what)
  return toFailedFinding('keys', what, WRONG_SECRET_KEY_MESSAGE)
}

async function checkClock(database: Database, now: () => number): Promise<Finding> {
  const beganMs = now()
  const databaseMs = await readDatabaseClock(database)
  // The database read its clock at some moment between our query and its response.
  const aheadMs = databaseMs < beganMs ? databaseMs - beganMs : Math.max(0, databaseMs - now())
  const what = 'this machine and the database have the same time'
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return toPassedFinding('clock', what)
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS)
  return toFailedFinding(
    'clock',
    what,
    `The clock of the database is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine; set both by NTP.`,
  )
}

/** Checks that the last backup worked and, where they are made every night, that it is not old. Source: rule D21. */
async function checkBackup(database: Database, { BACKUP_DIR }: Config, nowMs: number): Promise<Finding> {
  const { madeAt, error } = await readBackupStatus(database)
  const without = BACKUP_DIR === undefined ? 'no backup has failed' : 'a backup was made'
  const what = madeAt === null ? without : `the last backup is of ${madeAt.toISOString()}`
  if (error !== null) {
    const advice = 'The last backup failed; earlier ones stay. Remove the cause, then run "npm run backup".'
    return toFailedFinding('backup', what, `${advice} ${error}`)
  }
  if (BACKUP_DIR === undefined || nowMs - (madeAt?.getTime() ?? 0) < BACKUP_OLD_AFTER_MS)
    return toPassedFinding('backup', what)
  return toFailedFinding(
    'backup',
    what,
    'There is no backup of the last two days; look for "backup" in the log, and run "npm run backup".',
  )
}

async function checkJobs(database: Database, nowMs: number): Promise<Finding[]> {
  const late = await listOverdueJobCounts(database, new Date(nowMs - LATE_AFTER_MS))
  const givenUp = await listFailedJobCounts(database, new Date(nowMs - GIVEN_UP_WITHIN_MS))
  return [
    toFinding(
      'no job is late',
      late,
      (jobs) =>
        `Jobs wait for more than ten minutes (${jobs}); start a process with ROLE=worker or ROLE=all.`,
    ),
    toFinding(
      'no job was given up in the last day',
      givenUp,
      (jobs) => `Jobs were given up (${jobs}); search the log of the workers for 'job given up'.`,
    ),
  ]
}

/**
 * Checks failed emails. Emails about appointments are marked as failed in the message ledger while their jobs succeed,
 * so the jobs do not show them.
 */
async function checkMails(database: Database): Promise<Finding[]> {
  const { retried, givenUp } = await readMailStatistics(database)
  const judge = (
    what: string,
    { count, lastError }: FailedMailCount,
    describe: (mails: string) => string,
  ) => {
    if (count === 0) return toPassedFinding('mail', what)
    const error = lastError.replace(/\.$/, '')
    return toFailedFinding('mail', what, describe(`${count}; the last one: ${error}`))
  }
  return [
    judge(
      'no mail was given up in the last day',
      givenUp,
      (mails) =>
        `Mails were given up (${mails}); search the log of the workers for 'given up'. ${MAIL_ADVICE}`,
    ),
    judge(
      'every mail was taken at once',
      retried,
      (mails) => `Mails were not taken and are tried again (${mails}). ${MAIL_ADVICE}`,
    ),
  ]
}

function toFinding(what: string, jobs: readonly JobCount[], describe: (jobs: string) => string): Finding {
  if (jobs.length === 0) return toPassedFinding('jobs', what)
  return toFailedFinding(
    'jobs',
    what,
    describe(jobs.map(({ name, count }) => `${count} × ${name}`).join(', ')),
  )
}
