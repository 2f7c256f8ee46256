import { CompiledQuery } from 'kysely'
import { PgBoss, type QueueOptions } from 'pg-boss'
import type { Database } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/pg-errors.ts'
import { listRowsPrepared } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { Log } from '#server/platform/log.ts'
import { runWorkers } from './run-workers.ts'
import { startJobPoller } from './start-job-poller.ts'

/** The name of a kind of work, and how it is repeated when it fails. The handler is given to `work`. */
export type JobDefinition<Data extends object> = {
  readonly name: string
  /** How often a failed job is tried again before it is given up. */
  readonly retryLimit: number
  /** Pause before the first repetition; it doubles each time up to `retryDelayMaxSeconds`. */
  readonly retryDelaySeconds: number
  readonly retryDelayMaxSeconds: number
  /** A job that runs longer than this counts as lost and is tried again. */
  readonly expireSeconds: number
  /** Finished jobs are kept this long. Short where the payload carries a secret link. */
  readonly keepSeconds: number
  /**
   * How many of them one process works on in parallel; by default as many as its database serves. Each of them looks for a job
   * when the first one is there, so rare work has one.
   */
  readonly workersPerProcess?: number
  /** Carries the type of the payload; never set. */
  readonly data?: Data
}

export type JobQueue = {
  /**
   * Queues jobs inside the transaction that causes them: they exist exactly if the transaction commits. Patient jobs
   * give way to all others of their kind. They run after so many seconds at the earliest.
   */
  readonly insert: <Data extends object>(
    trx: Trx,
    job: JobDefinition<Data>,
    payloads: readonly Data[],
    options?: { readonly isPatient?: boolean; readonly afterSeconds?: number },
  ) => Promise<void>
  /**
   * Deletes the queued jobs whose payload has one of these values in a field, and returns their payloads. A job that has begun is
   * returned as well and goes on, so its work may be done twice.
   */
  readonly take: <Data extends object>(
    trx: Trx,
    job: JobDefinition<Data>,
    having: { readonly field: keyof Data & string; readonly values: readonly string[] },
  ) => Promise<Data[]>
  /** Queues one job by itself, where there is no transaction to join; it runs after so many seconds at the earliest. */
  readonly send: <Data extends object>(
    job: JobDefinition<Data>,
    payload: Data,
    options?: { readonly afterSeconds: number },
  ) => Promise<void>
  /**
   * Starts working on jobs of this kind. A handler that throws has its job tried again later, unless the error says
   * `isFinal`: then it is given up.
   */
  readonly work: <Data extends object>(
    job: JobDefinition<Data>,
    handler: (payload: Data, attempt: { id: string }) => Promise<void>,
  ) => Promise<void>
  /** Queues a job whenever the cron expression (UTC) says so; once, however many processes there are. */
  readonly schedule: <Data extends object>(
    job: JobDefinition<Data>,
    cron: string,
    payload: Data,
  ) => Promise<void>
  /** Creates what the queue needs in the database. Nothing may be inserted before. */
  readonly start: () => Promise<void>
  /** Stops taking jobs, lets the running ones finish (at most 5 s), and gives the rest back. */
  readonly stop: () => Promise<void>
}

/** Jobs of a kind that one process works on side by side. */
const WORKERS = { server: 10, embedded: 4 } as const
const PATIENT_PRIORITY = -1
/**
 * pg-boss's `deadletter` is the end of a job. There is no queue for dead letters here, so the job is kept as failed.
 */
const GIVEN_UP = { status: 'deadletter', level: 'error', message: 'job given up' } as const
const TRIED_AGAIN = {
  status: 'failed',
  level: 'warn',
  message: 'job failed, it will be tried again',
} as const
/** Finished jobs are removed this often; the links in account mails are not kept much longer than they are valid. */
const MAINTENANCE_SECONDS = 60 * 60
/**
 * A process that works on a job says so every 8 s. After 16 s of silence it counts as dead and its job is tried again.
 * The queue checks that often, so a message waits less than a minute for a worker that was killed.
 */
const HEARTBEAT_SECONDS = 16
const SUPERVISE_SECONDS = 5
const START_ATTEMPTS = 3
/** Together with the requests before and the mailer after it, a stop stays below the 10 s that a container is given. */
const STOP_TIMEOUT_MS = 5_000

/** A job that begins before it is deleted stays. */
const TAKE = `
  with unfinished as (
    select id, data from pgboss.job
    where name = $1 and state <= 'active' and data ->> $2 = any ($3::text[])
  ), taken as (
    delete from pgboss.job where name = $1 and id in (select id from unfinished) and state < 'active'
  )
  select data from unfinished`

/** Jobs on pg-boss, over the same connections as everything else. */
export function buildJobQueue(
  database: Database,
  log: Log,
  definitions: readonly JobDefinition<object>[],
): JobQueue {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values) },
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    // The embedded database has one session and no bloat worth a daily rebuild.
    reindex: database.kind === 'server',
    monitorVacuum: database.kind === 'server',
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  // One for each kind of job waits for the stop: that is no leak.
  boss.setMaxListeners(0)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'))
  const lookout = startJobPoller(database, log)

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
      if (afterSeconds === 0) lookout.wakeSoon(job.name)
    },
    async take(trx, job, { field, values }) {
      const { rows } = await runInside(trx, TAKE, [job.name, field, [...values]])
      return rows.map(({ data }) => data as NonNullable<typeof job.data>) // as they were inserted
    },
    async send(job, payload, { afterSeconds } = { afterSeconds: 0 }) {
      await boss.send(job.name, payload, { startAfter: afterSeconds })
      if (afterSeconds === 0) lookout.wakeSoon(job.name)
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
      lookout.add(job.name, wakeUp)
    },
    async schedule(job, cron, payload) {
      await boss.schedule(job.name, cron, payload, { tz: 'UTC' })
    },
    async start() {
      // Read before pg-boss fills its cache, which lacks what another process makes meanwhile.
      const cached = await listQueueNames(database)
      await startBoss(boss)
      const queues = (await boss.getQueues()).filter(({ name }) => cached.has(name))
      const known = new Map(queues.map((queue) => [queue.name, queue]))
      for (const job of definitions) await declareQueue(boss, job, known.get(job.name))
    },
    async stop() {
      lookout.stop()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}

/** Runs what pg-boss asks inside a transaction. It writes the same text each time. */
async function runInside(trx: Trx, text: string, values: unknown[] = []) {
  const query = CompiledQuery.raw(text, values) as CompiledQuery<Record<string, unknown>> // what it returns is the text's affair
  return { rows: await listRowsPrepared(trx, query) }
}

/** None where the tables do not exist yet; pg-boss reports any other trouble with the database. */
async function listQueueNames(database: Database): Promise<ReadonlySet<unknown>> {
  const found = await database.execute('select name from pgboss.queue').catch(() => ({ rows: [] }))
  return new Set(found.rows.map(({ name }) => name))
}

function isFinal(error: unknown): boolean {
  return error instanceof Error && 'isFinal' in error && error.isFinal === true
}

/**
 * Starts pg-boss, which creates its tables. Of processes that start together on an empty database all but one may fail
 * at that (PostgreSQL's `create … if not exists` is no lock); when they try again the tables exist.
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

/** Creates a queue, or changes it when its settings differ now. An unchanged one costs a start nothing. */
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
  // Puts the queue into pg-boss's cache, which has only the queues of its start. A miss inside a transaction would need
  // a second connection, which the embedded database does not have.
  await boss.findJobs(job.name, { key: 'warm-up' })
}

function isKeptAs(options: QueueOptions, known: QueueOptions): boolean {
  // The keys of an object literal of that type.
  const names = Object.keys(options) as (keyof QueueOptions)[]
  return names.every((name) => known[name] === options[name])
}
