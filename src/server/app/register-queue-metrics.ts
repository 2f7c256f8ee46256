import { Gauge, type Registry } from 'prom-client'
import type { Database } from '#server/platform/db/database.ts'
import { readBackupStatus, readJobQueues, readMailStatistics } from './doctor/health-repository.ts'

/**
 * Adds metrics to `/metrics`: queue lengths, age of the oldest due job, emails and the last backup. They are read from
 * the database on each request. If the database is unavailable, these metrics are missing and all others are still
 * served.
 */
export function registerQueueMetrics(registry: Registry, database: Database): void {
  const registers = [registry]
  /** Each metric runs its own query, because the registry collects all metrics at once. */
  const add = (name: string, help: string, labelNames: readonly string[], read: (gauge: Gauge) => unknown) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        try {
          await read(this)
        } catch {
          this.remove({})
        }
      },
    })
  add('meridian_jobs_waiting', 'Jobs that are due and have not begun, by queue', ['queue'], async (gauge) => {
    for (const { name, waiting } of await readJobQueues(database)) gauge.set({ queue: name }, waiting)
  })
  add(
    'meridian_oldest_due_job_seconds',
    'Age of the oldest job that is due and has not begun',
    [],
    async (gauge) => {
      const queues = await readJobQueues(database)
      gauge.set(Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds)))
    },
  )
  add(
    'meridian_mails',
    'Mails by what became of them; given up: in the last day',
    ['state'],
    async (gauge) => {
      const { waiting, retried, givenUp } = await readMailStatistics(database)
      gauge.set({ state: 'waiting' }, waiting)
      gauge.set({ state: 'retried' }, retried.count)
      gauge.set({ state: 'given_up' }, givenUp.count)
    },
  )
  add('meridian_last_backup_timestamp_seconds', 'When the last backup was made', [], async (gauge) => {
    const { madeAt } = await readBackupStatus(database)
    if (madeAt === null) gauge.remove({})
    else gauge.set(madeAt.getTime() / 1_000)
  })
  add('meridian_backup_failed', '1 when the last backup failed', [], async (gauge) => {
    gauge.set((await readBackupStatus(database)).error === null ? 0 : 1)
  })
}
