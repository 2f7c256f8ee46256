import type { Database } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Log } from '#server/platform/log.ts'

/** Between two looks for jobs that are due, in milliseconds; the longest wait of a mail that another process has queued. */
const LOOK_EVERY_MS = 1_000

/**
 * How long after a job was queued its workers in this process are woken, in milliseconds. By then its transaction has
 * nearly always ended. One call serves all jobs that are queued in this time: with 20 ms they cost 0.03 of the throughput of
 * bookings (bench/bookings.ts), with 200 ms nothing that can be measured.
 */
const WAKE_AFTER_MS = 200

/**
 * Finds which of these kinds have a job that is due, in one statement. With a statement for each kind, an idle process used a tenth
 * of a processor on the embedded database.
 */
const listDueKinds = prepareStatement<{ name: string }>(
  'due-kinds',
  `select name from unnest($1::text[]) as kind(name)
   where exists (
     select from pgboss.job
     where job.name = kind.name and state < 'active' and not blocked and start_after <= now()
   )`,
)

export type JobPoller = {
  /** From now on `wakeUp` is called whenever a job of this kind is due. */
  readonly add: (name: string, wakeUp: () => Promise<void>) => void
  /** A job of this kind was queued here: its workers need not wait for the next look. */
  readonly wakeSoon: (name: string) => void
  readonly stop: () => void
}

/** Looks for jobs that are due, once a second, and wakes those who work on them. */
export function startJobPoller(database: Database, log: Log): JobPoller {
  const wakeUps = new Map<string, () => Promise<void>>()
  const soonAwake = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  async function wake(name: string): Promise<void> {
    try {
      await wakeUps.get(name)?.()
    } catch (error) {
      log.warn({ err: error, job: name }, 'job queue')
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const due = await listDueKinds(database.db, [[...wakeUps.keys()]])
      await Promise.all(due.map(({ name }) => wake(name)))
    } catch (error) {
      log.warn({ err: error }, 'job queue')
    } finally {
      isLooking = false
    }
  }

  return {
    add(name, wakeUp) {
      wakeUps.set(name, wakeUp)
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref()
    },
    wakeSoon(name) {
      if (soonAwake.has(name)) return
      soonAwake.add(name)
      const wakeNow = () => {
        soonAwake.delete(name)
        void wake(name)
      }
      setTimeout(wakeNow, WAKE_AFTER_MS).unref()
    },
    stop() {
      clearInterval(timer)
      // A look may still be under way. It finds nobody to wake then.
      wakeUps.clear()
    },
  }
}
