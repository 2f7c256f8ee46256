import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'

/** Fallback polling interval in case a wake-up was missed. */
const SLEEPING_SECONDS = 60

/**
 * Works on a queue with several workers, each on one job at a time, because pg-boss completes a batch only as a whole:
 * one slow email would leave delivered ones open to be sent again. Workers are created on the first wake-up, because
 * each polls once when created; a queue without jobs costs nothing. A worker that finds a job wakes the next idle
 * worker, and polls again as soon as the job is done, so a long queue is processed by all of them without pauses.
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
