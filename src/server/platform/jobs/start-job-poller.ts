import type { Database } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Log } from '#server/platform/log.ts'

/**
 * Interval between polls for due jobs, in milliseconds; also the longest delay of an email queued by another process.
 */
const LOOK_EVERY_MS = 1_000

/**
 * Delay before local workers are woken after a job was queued, in milliseconds. By then the transaction has usually
 * committed. One wake-up serves all jobs queued meanwhile: with 20 ms, bookings lost 3% of throughput
 * (bench/bookings.ts); with 200 ms nothing measurable.
 */
const WAKE_AFTER_MS = 200

/**
 * Finds which kinds have a due job in one statement. With one statement per kind, an idle process used 10% of a CPU on
 * the embedded database.
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
  /** Registers `wakeUp`, which is called whenever a job of this kind is due. */
  readonly add: (name: string, wakeUp: () => Promise<void>) => void
  /** A job of this kind was queued in this process: wake its workers without waiting for the next poll. */
  readonly wakeSoon: (name: string) => void
  readonly stop: () => void
}

/** Polls for due jobs once a second and wakes their workers. */
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
      // A poll may still be running; it then finds no workers to wake.
      wakeUps.clear()
    },
  }
}
