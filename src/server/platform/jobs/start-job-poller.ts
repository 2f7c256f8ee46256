import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Database } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Log } from '#server/platform/log.ts'

/**
 * Interval between polls for due jobs, in milliseconds. It is also the longest delay of an email that another process
 * has queued.
 */
const POLL_EVERY_MS = 1_000

/**
 * Delay before local workers are woken after a job was queued, in milliseconds. By then the transaction has usually
 * committed. One wake-up serves all jobs queued meanwhile: with 20 ms, bookings lost 3% of throughput
 * (bench/bookings.ts); with 200 ms nothing measurable.
 */
const WAKE_AFTER_MS = 200

/**
 * Statement that finds the kinds with a due job. One statement serves all kinds: with one statement per kind, an idle
 * process used 10% of a CPU on the embedded database.
 */
const listDueKinds = prepareStatement<{ name: string }>(
  'due-kinds',
  `select name from unnest($1::text[]) as kind(name)
   where exists (
     select from pgboss.job
     where job.name = kind.name and state < 'active' and not blocked and start_after <= now()
   )`,
)

type JobPoller = {
  /** Registers `wakeUp`, which is called whenever a job of this kind is due. */
  readonly add: (name: string, wakeUp: () => Promise<void>) => void
  /** Wakes the workers of a job that this process has queued, without waiting for the next poll. */
  readonly wakeSoon: (name: string) => void
  readonly stop: () => void
}

/** Polls for due jobs once a second and wakes their workers. */
export function startJobPoller(database: Database, log: Log): JobPoller {
  const wakeUps = new Map<string, () => Promise<void>>()
  const wakingSoon = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false

  async function wake(name: string): Promise<void> {
    try {
      await wakeUps.get(name)?.()
    } catch (error) {
      log.warn({ err: error, job: name }, 'job queue')
    }
  }

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      const due = await listDueKinds(database.db, [[...wakeUps.keys()]])
      await Promise.all(due.map(({ name }) => wake(name)))
    } catch (error) {
      log.warn({ err: error }, 'job queue')
    } finally {
      isPolling = false
    }
  }

  return {
    add(name, wakeUp) {
      wakeUps.set(name, wakeUp)
      timer ??= setInterval(() => void poll(), POLL_EVERY_MS).unref()
    },
    wakeSoon(name) {
      if (wakingSoon.has(name)) return
      wakingSoon.add(name)
      const wakeNow = () => {
        wakingSoon.delete(name)
        void wake(name)
      }
      setTimeout(wakeNow, WAKE_AFTER_MS).unref()
    },
    stop() {
      clearInterval(timer)
      // A poll that is still running then finds no workers to wake.
      wakeUps.clear()
    },
  }
}

/** Polling interval of sleeping workers, in seconds, in case a wake-up was missed. */
const SLEEPING_SECONDS = 60

/**
 * Works on a queue with several workers, each on one job at a time, because pg-boss completes a batch only as a whole:
 * while one slow email is being sent, other emails of the batch, already delivered, could be sent again. Workers are
 * created on the first wake-up, because each polls once when created; so a queue without jobs costs nothing. A worker
 * that finds a job wakes the next idle worker, and polls again as soon as the job is done, so a long queue is processed
 * by all of them without pauses.
 * @returns a function that wakes an idle worker immediately
 */
export function runWorkers<Data extends object>(
  boss: PgBoss,
  { queue, workers }: { queue: string; workers: number },
  handle: (job: JobWithMetadata<Data>) => Promise<JobResult>,
): () => Promise<void> {
  const ids: string[] = []
  const busy = new Set<number>()
  const wake = (index: number) => {
    const id = ids[index]
    if (id !== undefined) boss.notifyWorker(id)
  }
  const wakeIdle = () => wake(ids.findIndex((_, index) => !busy.has(index)))
  const options = {
    batchSize: 1,
    pollingIntervalSeconds: SLEEPING_SECONDS,
    includeMetadata: true,
    perJobResults: true,
  } as const
  const addWorker = async (index: number) => {
    ids[index] = await boss.work(queue, options, async (jobs: JobWithMetadata<Data>[]) => {
      busy.add(index)
      wakeIdle()
      try {
        return await Promise.all(jobs.map(handle))
      } finally {
        busy.delete(index)
        wake(index)
      }
    })
  }
  let made: Promise<unknown> | undefined
  return async () => {
    const wasMade = made !== undefined
    made ??= Promise.all(Array.from({ length: workers }, (_, index) => addWorker(index)))
    await made
    if (wasMade) wakeIdle()
  }
}
