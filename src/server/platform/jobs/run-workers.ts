import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'

/** Workers are woken; this is for a wake-up call that was missed. */
const SLEEPING_SECONDS = 60

/**
 * Works on a queue with several workers, each on one job at a time, because pg-boss settles a batch only when all of it
 * is done: one slow mail would leave its delivered neighbours open to be sent again.
 *
 * The first wake-up call makes the workers, as each looks for jobs when it is made: a queue that has no job costs nothing.
 * Whoever finds a job wakes the next idle worker, and looks again at once when the job is done: all of them work on a long
 * queue without a pause.
 * @returns what wakes an idle worker at once
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
