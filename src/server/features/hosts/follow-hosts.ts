import type { Db } from '#server/platform/db/database.ts'
import type { CalendarHost } from '#server/platform/http/request-hosts.ts'
import type { Log } from '#server/platform/log.ts'
import { withinTime } from '#server/platform/within-time.ts'
import { findHostVersion, listHosts } from './repository.ts'

export type KnownHosts = {
  /**
   * The calendar of a host as `toHostName` writes it, or null. The answer is from memory, and true for less than a second ago.
   * @throws the database's error while it has never answered
   */
  readonly find: (host: string) => Promise<CalendarHost | null>
}

export type KnownHostsDeps = {
  readonly db: Db
  readonly log: Pick<Log, 'warn'>
  /** A clock for durations, in milliseconds; tests have their own. */
  readonly elapsedMs?: () => number
}

/** From this age on the memory is compared with the database while it still answers. */
const RENEW_MS = 400
/** From this age on a question waits for the comparison. */
const STALE_MS = 900
/** A question waits for a slow database no longer than this, and is then answered from memory. */
const LONGEST_WAIT_MS = 500

/**
 * Keeps the hosts of all calendars in memory, so that a question about any name, also about one that nobody has, costs the
 * database nothing. While questions come, the memory is compared with one row of the database twice a second, in every process and on
 * both databases alike. A connection that listens for notifications would have to be kept beside the pool, and the embedded database has one
 * connection. While the database is away, what was known last stays true. Source: rule J4.
 */
export function followHosts(deps: KnownHostsDeps): KnownHosts {
  const elapsedMs = deps.elapsedMs ?? (() => performance.now())
  let hosts: ReadonlyMap<string, CalendarHost> | null = null
  let version: string | null = null
  let comparedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let comparing: Promise<void> | null = null

  const compare = async () => {
    // The moment before the question: what changes while it is answered is found the next time.
    const beganAtMs = elapsedMs()
    const present = await findHostVersion(deps.db)
    if (hosts === null || present !== version) {
      const rows = await listHosts(deps.db)
      hosts = new Map(
        rows.map(({ host, calendar_id: calendarId, slug }) => [host, { host, calendarId, slug }]),
      )
      version = present
    }
    comparedAtMs = beganAtMs
  }
  const compareOnce = (): Promise<void> => {
    if (comparing === null) {
      triedAtMs = elapsedMs()
      comparing = compare().finally(() => {
        comparing = null
      })
    }
    return comparing
  }

  return {
    async find(host) {
      if (hosts === null) {
        await compareOnce()
        return hosts?.get(host) ?? null
      }
      const nowMs = elapsedMs()
      // A database that has just refused is not asked by every question.
      const isDue = comparing !== null || nowMs - triedAtMs >= RENEW_MS
      if (isDue && nowMs - comparedAtMs >= RENEW_MS) {
        const compared = compareOnce().catch((err: unknown) => {
          deps.log.warn({ err }, 'the hosts of calendars could not be compared with the database')
        })
        if (nowMs - comparedAtMs >= STALE_MS) await withinTime(compared, LONGEST_WAIT_MS)
      }
      return hosts.get(host) ?? null
    },
  }
}
