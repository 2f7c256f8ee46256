import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_MS, DAY_SECONDS, HOUR_SECONDS } from '#core/shared/duration.ts'
import { buildBackupFailed } from '#server/messages/emails/backup-failed-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { OWNER_MAIL_RETRIES, SCHEDULED_JOB_RETRIES } from '#server/platform/jobs/retry-policies.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailAddress, Mailer } from '#server/ports/mailer.ts'
import { CommandError } from '../commands/command-error.ts'
import { readBackupStatus } from '../doctor/health-repository.ts'
import type { Backups } from './backups.ts'

/** Daily job that makes a backup of the embedded database in BACKUP_DIR. */
export const BACKUP_JOB: JobDefinition<Record<string, never>> = {
  name: 'backup',
  ...SCHEDULED_JOB_RETRIES,
  expireSeconds: 3 * HOUR_SECONDS,
}

export const BACKUP_CRON = '23 3 * * *'

/** Job that tells the operator that a backup failed. */
export const BACKUP_MAIL_JOB: JobDefinition<{ readonly to: MailAddress; readonly reason: string }> = {
  name: 'backup-failed-mail',
  ...OWNER_MAIL_RETRIES,
  keepSeconds: RETENTION_DAYS.endedJob * DAY_SECONDS,
}

export type BackupJobDeps = {
  readonly database: Database
  /** Null when no backups are made: without BACKUP_DIR, and on a database server. */
  readonly nightlyBackups: Backups | null
  readonly operatorMailbox: MailAddress | null
  readonly now: () => number
  readonly log: Pick<Log, 'error'>
  readonly mailer: Mailer
  readonly origin: MailOrigin
}

/** Starts the workers, and makes a backup now when none was made for a day, because nothing ran at night. */
export async function registerBackupJobs(queue: JobQueue, deps: BackupJobDeps): Promise<void> {
  await queue.work(BACKUP_MAIL_JOB, async ({ to, reason }, { id }) =>
    deps.mailer.send(await buildBackupFailed({ to, reason, deliveryId: id }, deps.origin)),
  )
  await queue.work(BACKUP_JOB, () => makeNightlyBackup({ ...deps, jobs: queue }))
  await queue.schedule(BACKUP_JOB, BACKUP_CRON, {})
  if (deps.nightlyBackups === null) return
  const { madeAt: last } = await readBackupStatus(deps.database)
  if (last === null || deps.now() - last.getTime() > DAY_MS) await queue.send(BACKUP_JOB, {})
}

/** Makes a backup. A failure is logged and emailed to the operator; earlier backups stay. Source: rule D21. */
export async function makeNightlyBackup({
  nightlyBackups,
  operatorMailbox: to,
  log,
  jobs,
}: Pick<BackupJobDeps, 'nightlyBackups' | 'operatorMailbox' | 'log'> & {
  readonly jobs: Pick<JobQueue, 'send'>
}): Promise<void> {
  if (nightlyBackups === null) return
  try {
    await nightlyBackups.make()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    log.error({ err: error }, 'backup failed')
    if (to !== null) await jobs.send(BACKUP_MAIL_JOB, { to, reason: error.message })
  }
}
