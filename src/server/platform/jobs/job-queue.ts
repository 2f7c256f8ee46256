import { CompiledQuery } from 'kysely'
import { PgBoss, type QueueOptions } from 'pg-boss'
import type { Database } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/pg-errors.ts'
import { runPreparedQuery } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { Log } from '#server/platform/log.ts'
import { runWorkers, startJobPoller } from './start-job-poller.ts'

/** A kind of job: its name and retry policy. Its handler is passed to `work`. */
export type JobDefinition<Data extends object> = {
  readonly name: string
  /** How many times a failed job is retried. */
  readonly retryLimit: number
  /** Delay before the first retry; it doubles with each retry, up to `retryDelayMaxSeconds`. */
  readonly retryDelaySeconds: number
  readonly retryDelayMaxSeconds: number
  /** A job that runs longer than this is considered lost and retried. */
  readonly expireSeconds: number
  /** How long finished jobs are kept. The time is short when the payload contains a secret link. */
  readonly keepSeconds: number
  /**
   * Number of parallel workers per process; defaults to the number that the database supports. All workers start
   * polling when the first job arrives, so kinds of jobs that are rare use one worker.
   */
  readonly workersPerProcess?: number
  /** Phantom field that carries the payload's type; it never has a value. */
  readonly data?: Data
}

export type JobQueue = {
  /**
   * Queues jobs inside the caller's transaction, so that they exist only if it commits. `patient` jobs run after all
   * other jobs of their kind. Each job runs at the earliest after the given number of seconds.
   */
  readonly insert: <Data extends object>(
    trx: Trx,
    job: JobDefinition<Data>,
    payloads: readonly Data[],
    options?: { readonly isPatient?: boolean; readonly afterSeconds?: number },
  ) => Promise<void>
  /**
   * Deletes queued jobs whose payload has one of these values in a field, and returns their payloads. Running jobs are
   * returned too and keep running, so a caller that queues the returned work again may do it twice.
   */
  readonly withdraw: <Data extends object>(
    trx: Trx,
    job: JobDefinition<Data>,
    having: { readonly field: keyof Data & string; readonly values: readonly string[] },
  ) => Promise<Data[]>
  /** Queues one job outside a transaction. It runs at the earliest after the given number of seconds. */
  readonly send: <Data extends object>(
    job: JobDefinition<Data>,
    payload: Data,
    options?: { readonly afterSeconds: number },
  ) => Promise<void>
  /**
   * Starts working on jobs of this kind. When the handler throws, the job is retried later, unless the error's
   * `isFinal` is true: then the job fails for good.
   */
  readonly work: <Data extends object>(
    job: JobDefinition<Data>,
    handler: (payload: Data, attempt: { id: string }) => Promise<void>,
  ) => Promise<void>
  /** Queues a job on a cron schedule (UTC), once across all processes. */
  readonly schedule: <Data extends object>(
    job: JobDefinition<Data>,
    cron: string,
    payload: Data,
  ) => Promise<void>
  /** Creates the queue's tables. Call it before any insert. */
  readonly start: () => Promise<void>
  /** Stops taking jobs, waits up to 5 s for running ones, and returns unfinished ones to the queue. */
  readonly stop: () => Promise<void>
}

/** Default number of parallel workers per kind of job in one process. */
const WORKERS = { server: 10, embedded: 4 } as const
const PATIENT_PRIORITY = -1
/**
 * pg-boss reports `deadletter` when a job has failed for good. There is no dead letter queue here, so the job is kept
 * as failed.
 */
const GIVEN_UP = { status: 'deadletter', level: 'error', message: 'job given up' } as const
const TRIED_AGAIN = {
  status: 'failed',
  level: 'warn',
  message: 'job failed, it will be tried again',
} as const
/**
 * Interval at which finished jobs are deleted, in seconds. It is short, so that links in account emails are kept only slightly
 * longer than they are valid.
 */
const MAINTENANCE_SECONDS = 60 * 60
/**
 * Maximum time between two heartbeats of a worker, in seconds. Workers send one every 8 s. After 16 s of silence, a
 * worker counts as dead and its job is retried. The queue checks for dead workers that often, so a message waits less
 * than a minute after its worker was killed.
 */
const HEARTBEAT_SECONDS = 16
const SUPERVISE_SECONDS = 5
const START_ATTEMPTS = 3
/**
 * Maximum wait for running jobs at shutdown, in milliseconds. Together with closing requests and the mailer, shutdown
 * stays below the 10 s that containers get.
 */
const STOP_TIMEOUT_MS = 5_000

/** SQL that deletes queued jobs. A job that starts before the delete is kept. */
const WITHDRAW = `
  with unfinished as (
    select id, data from pgboss.job
    where name = $1 and state <= 'active' and data ->> $2 = any ($3::text[])
  ), withdrawn as (
    delete from pgboss.job where name = $1 and id in (select id from unfinished) and state < 'active'
  )
  select data from unfinished`

/** Builds the job queue on pg-boss, using the existing database connections. */
export function buildJobQueue(
  database: Database,
  log: Log,
  definitions: readonly JobDefinition<object>[],
): JobQueue {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values) },
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    // The embedded database is excluded: it has a single session, and too little bloat to need a daily reindex.
    reindex: database.kind === 'server',
    monitorVacuum: database.kind === 'server',
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  // No limit on listeners: one listener per kind of job is intended, and not a leak.
  boss.setMaxListeners(0)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'))
  const poller = startJobPoller(database, log)

  return {
    async insert(trx, job, payloads, { isPatient = false, afterSeconds = 0 } = {}) {
      const options = {
        priority: isPatient ? PATIENT_PRIORITY : 0,
        ...(afterSeconds === 0 ? {} : { startAfter: afterSeconds }),
      }
      await boss.insert(
        job.name,
        payloads.map((data) => ({ data, ...options })),
        { db: { executeSql: (text, values) => runInside(trx, text, values) } },
      )
      if (afterSeconds === 0) poller.wakeSoon(job.name)
    },
    async withdraw(trx, job, { field, values }) {
      const { rows } = await runInside(trx, WITHDRAW, [job.name, field, [...values]])
      return rows.map(({ data }) => data as NonNullable<typeof job.data>) // These are the payloads as inserted.
    },
    async send(job, payload, { afterSeconds } = { afterSeconds: 0 }) {
      await boss.send(job.name, payload, { startAfter: afterSeconds })
      if (afterSeconds === 0) poller.wakeSoon(job.name)
    },
    async work(job, handler) {
      const wakeUp = runWorkers<Parameters<typeof handler>[0]>(
        boss,
        { queue: job.name, workers: job.workersPerProcess ?? WORKERS[database.kind] },
        async ({ id, data, retryCount, retryLimit }) => {
          try {
            await handler(data, { id })
            return { id, status: 'completed' }
          } catch (error) {
            const isLast = isFinal(error) || retryCount >= retryLimit
            const failure = isLast ? GIVEN_UP : TRIED_AGAIN
            log[failure.level]({ err: error, job: job.name, jobId: id, retryCount }, failure.message)
            return { id, status: failure.status, output: { message: String(error) } }
          }
        },
      )
      poller.add(job.name, wakeUp)
    },
    async schedule(job, cron, payload) {
      await boss.schedule(job.name, cron, payload, { tz: 'UTC' })
    },
    async start() {
      // Read the names before pg-boss fills its cache, because the cache misses queues that other processes create
      // meanwhile.
      const cached = await listQueueNames(database)
      await startBoss(boss)
      const queues = (await boss.getQueues()).filter(({ name }) => cached.has(name))
      const known = new Map(queues.map((queue) => [queue.name, queue]))
      for (const job of definitions) await declareQueue(boss, job, known.get(job.name))
    },
    async stop() {
      poller.stop()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}

/**
 * Runs pg-boss's SQL inside a transaction. The SQL text is the same for each call, so it can be a prepared statement.
 */
async function runInside(trx: Trx, text: string, values: unknown[] = []) {
  const query = CompiledQuery.raw(text, values) as CompiledQuery<Record<string, unknown>> // The SQL text determines the row type.
  return { rows: await runPreparedQuery(trx, query) }
}

/**
 * Returns the names of the queues; empty when the tables do not exist yet. pg-boss reports any other database error.
 */
async function listQueueNames(database: Database): Promise<ReadonlySet<unknown>> {
  const found = await database.execute('select name from pgboss.queue').catch(() => ({ rows: [] }))
  return new Set(found.rows.map(({ name }) => name))
}

function isFinal(error: unknown): boolean {
  return error instanceof Error && 'isFinal' in error && error.isFinal === true
}

/**
 * Starts pg-boss, which creates its tables. When several processes start on an empty database, all but one can fail,
 * because `create … if not exists` does not lock. The retry finds the tables.
 */
async function startBoss(boss: PgBoss): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await boss.start()
      return
    } catch (error) {
      if (attempt === START_ATTEMPTS || !isUniqueViolation(error)) throw error
    }
  }
}

/** Creates a queue, or updates it if its settings have changed. If they have not, no SQL runs at startup. */
async function declareQueue(
  boss: PgBoss,
  job: JobDefinition<object>,
  known: QueueOptions | undefined,
): Promise<void> {
  const options: QueueOptions = {
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: job.retryDelayMaxSeconds,
    expireInSeconds: job.expireSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: job.keepSeconds,
  }
  if (known === undefined) await boss.createQueue(job.name, options)
  else if (isKeptAs(options, known)) return
  else await boss.updateQueue(job.name, options)
  // Warm pg-boss's queue cache, which contains only the queues known at its start. A cache miss inside a transaction
  // would need a second connection, which the embedded database does not have.
  await boss.findJobs(job.name, { key: 'warm-up' })
}

function isKeptAs(options: QueueOptions, known: QueueOptions): boolean {
  // The cast is safe: all keys of this object are keys of QueueOptions.
  const names = Object.keys(options) as (keyof QueueOptions)[]
  return names.every((name) => known[name] === options[name])
}
