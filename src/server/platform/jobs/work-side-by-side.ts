import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'

/** Between two looks at a queue that was empty, in milliseconds; the longest wait of a mail that another process has queued. */
const POLLING_MS = 1_000
/** Workers are woken; this is for a wake-up call that was missed. */
const SLEEPING_SECONDS = 60

/**
 * Works on a queue with several workers, each on one job at a time, because pg-boss settles a batch only when all of it
 * is done: one slow mail would leave its delivered neighbours open to be sent again.
 *
 * Every second one idle worker is woken to look for jobs. Whoever finds one wakes the next idle worker, and looks again
 * at once when the job is done: a long queue is worked on by all without a pause, an empty one is asked for by one.
 * @returns what wakes an idle worker at once
 */
export async function workSideBySide<Data extends object>(
  boss: PgBoss,
  { queue, workers }: { queue: string; workers: number },
  handle: (job: JobWithMetadata<Data>) => Promise<JobResult>,
): Promise<() => void> {
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
  for (let index = 0; index < workers; index += 1) {
    const id = await boss.work(queue, options, async (jobs: JobWithMetadata<Data>[]) => {
      busy.add(index)
      wakeIdle()
      try {
        return await Promise.all(jobs.map(handle))
      } finally {
        busy.delete(index)
        wake(index)
      }
    })
    ids.push(id)
  }
  const timer = setInterval(wakeIdle, POLLING_MS)
  timer.unref()
  boss.once('stopped', () => clearInterval(timer))
  return wakeIdle
}
