import type { Database } from '#server/platform/db/database.ts'

/** The number of jobs of one kind that are overdue or have failed for good. */
export type JobCount = { readonly name: string; readonly count: number }

/** Returns the database's clock, in epoch milliseconds. */
export async function readDatabaseClock(database: Database): Promise<number> {
  const { rows } = await database.execute('select extract(epoch from clock_timestamp()) * 1000 as ms')
  return Number(rows[0]?.ms)
}

/** Returns the server version as a number: 180000 means 18.0. */
export async function readServerVersion(database: Database): Promise<number> {
  const { rows } = await database.execute("select current_setting('server_version_num') as version")
  return Number(rows[0]?.version)
}

/** Lists the applied migrations; null for a database that the product has never opened. */
export async function listAppliedMigrations(database: Database): Promise<string[] | null> {
  const found = await database.execute("select to_regclass('schema_migrations') is not null as is_there")
  if (found.rows[0]?.is_there !== true) return null
  const { rows } = await database.execute('select name from schema_migrations order by name')
  return rows.map(({ name }) => String(name))
}

/** Counts jobs that have been due since `dueBefore`, by kind. */
export function listOverdueJobCounts(database: Database, dueBefore: Date): Promise<JobCount[]> {
  return countJobs(database, "state in ('created', 'retry') and start_after < $1", dueBefore)
}

/** Counts jobs that have failed for good since `since`, by kind. */
export function listFailedJobCounts(database: Database, since: Date): Promise<JobCount[]> {
  return countJobs(database, "state = 'failed' and completed_on > $1", since)
}

async function countJobs(database: Database, condition: string, at: Date): Promise<JobCount[]> {
  const text = `select name, count(*)::integer as count from pgboss.job where ${condition} group by name order by name`
  const { rows } = await database.execute(text, [at])
  return rows.map(({ name, count }) => ({ name: String(name), count: Number(count) }))
}

/** A queue: the number of jobs that have not started, and how long the oldest one has been due. */
export type JobQueueStatus = {
  readonly name: string
  readonly waiting: number
  readonly oldestSeconds: number
}

export async function readJobQueues(database: Database): Promise<JobQueueStatus[]> {
  const { rows } = await database.execute(
    `select queue.name, count(job.id)::integer as waiting,
        coalesce(extract(epoch from now() - min(job.start_after)), 0)::float as oldest
      from pgboss.queue left join pgboss.job
        on job.name = queue.name and job.state in ('created', 'retry') and job.start_after <= now()
      group by queue.name order by queue.name`,
  )
  return rows.map(({ name, waiting, oldest }) => ({
    name: String(name),
    waiting: Number(waiting),
    oldestSeconds: Number(oldest),
  }))
}

/** The number of failed emails of a kind, and the error of the latest one. */
export type FailedMailCount = { readonly count: number; readonly lastError: string }

export type MailStatistics = {
  /** Number of messages delayed by an email limit or by their recipient. */
  readonly waiting: number
  readonly retried: FailedMailCount
  /** Messages that failed for good within the last day. */
  readonly givenUp: FailedMailCount
}

/**
 * Returns the figures about emails. Emails about appointments are in the message ledger, even after they have failed
 * for good. Other emails exist only as jobs.
 */
export async function readMailStatistics(database: Database): Promise<MailStatistics> {
  const { rows } = await database.execute(
    `with mail_jobs as (
        select state, completed_on, created_on, output ->> 'message' as error from pgboss.job
        where name like '%mail%' and (state = 'retry' or state = 'failed' and completed_on > now() - interval '1 day')
      ), given_up as (
        select updated_at as at, last_error as error from appointment_messages
        where state = 'given_up' and updated_at > now() - interval '1 day'
        union all select completed_on, error from mail_jobs where state = 'failed'
      )
      select
        (select count(*)::integer from appointment_messages where state = 'waiting') as waiting,
        (select count(*)::integer from mail_jobs where state = 'retry') as retried,
        (select error from mail_jobs where state = 'retry' order by created_on desc limit 1) as retried_error,
        (select count(*)::integer from given_up) as given_up,
        (select error from given_up order by at desc limit 1) as given_up_error`,
  )
  const [row = {}] = rows
  return {
    waiting: Number(row.waiting),
    retried: { count: Number(row.retried), lastError: String(row.retried_error ?? '') },
    givenUp: { count: Number(row.given_up), lastError: String(row.given_up_error ?? '') },
  }
}

/** When this database was last backed up; null when it never was. `error` is why the last attempt since then failed. */
export type BackupStatus = { readonly madeAt: Date | null; readonly error: string | null }

export async function readBackupStatus(database: Database): Promise<BackupStatus> {
  const { rows } = await database.execute('select last_backup_at, backup_error from installation')
  const [{ last_backup_at: at, backup_error: error } = {}] = rows
  return { madeAt: at instanceof Date ? at : null, error: typeof error === 'string' ? error : null }
}
