import type { Db } from '#server/platform/db/database.ts'
import type { CalendarHost } from '#server/platform/http/request-hosts.ts'
import type { Log } from '#server/platform/log.ts'
import { withTimeout } from '#server/platform/with-timeout.ts'
import { findHostVersion, listHosts } from './repository.ts'

export type HostCache = {
  /**
   * The calendar of a host as `toHostName` writes it, or null. The answer is from memory, and true for less than a second ago.
   * @throws the database's error while it has never answered
   */
  readonly find: (host: string) => Promise<CalendarHost | null>
}

type Hosts = ReadonlyMap<string, CalendarHost>

export type HostCacheDeps = {
  readonly db: Db
  readonly log: Pick<Log, 'warn'>
  /** A clock for durations, in milliseconds. Tests have their own. */
  readonly elapsedMs?: () => number
}

/** From this age on the memory is compared with the database while it still answers. */
const RENEW_MS = 400
/** From this age on a question waits for the comparison. */
const STALE_MS = 900
/** From this age of a comparison on nobody waits for it: whoever waits or comes later is answered from memory. */
const LONGEST_WAIT_MS = 500

/**
 * Keeps the hosts of all calendars in memory, so that a question about any name, also about one that nobody has, costs the
 * database nothing. While questions come, the memory is compared with one row of the database twice a second, in every process and on
 * both databases alike. A connection that listens for notifications would have to be kept beside the pool, and the embedded database has one
 * connection. While the database is away, what was known last stays true. Source: rule J4.
 */
export function cacheHosts(deps: HostCacheDeps): HostCache {
  const elapsedMs = deps.elapsedMs ?? (() => performance.now())
  let hosts: Hosts | null = null
  let version: string | null = null
  let comparedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let comparing: Promise<Hosts> | null = null

  const compare = async (): Promise<Hosts> => {
    // The moment before the question: what changes while it is answered is found the next time.
    const beganAtMs = elapsedMs()
    const present = await findHostVersion(deps.db)
    const known = hosts !== null && present === version ? hosts : toHosts(await listHosts(deps.db))
    hosts = known
    version = present
    comparedAtMs = beganAtMs
    return known
  }
  const compareOnce = (): Promise<Hosts> => {
    if (comparing !== null) return comparing
    triedAtMs = elapsedMs()
    comparing = compare()
      .catch((err: unknown) => {
        deps.log.warn({ err }, 'the hosts of calendars could not be compared with the database')
        throw err
      })
      .finally(() => {
        comparing = null
      })
    return comparing
  }
  /** The memory when it is young enough, or what a comparison finds. */
  const read = async (): Promise<Hosts> => {
    const known = hosts
    if (known === null) return compareOnce()
    const nowMs = elapsedMs()
    const ageMs = nowMs - comparedAtMs
    if (ageMs < RENEW_MS) return known
    if (comparing === null) {
      // A database that has just refused is not asked by every question.
      if (nowMs - triedAtMs < RENEW_MS) return known
      compareOnce().catch(() => {})
    }
    const leftMs = LONGEST_WAIT_MS - (nowMs - triedAtMs)
    // A thousand questions a second would otherwise pile up behind a database that hangs.
    if (ageMs < STALE_MS || leftMs <= 0) return known
    const compared = compareOnce().catch(() => known)
    return (await withTimeout(compared, leftMs)) ?? known
  }

  return {
    async find(host) {
      return (await read()).get(host) ?? null
    },
  }
}

function toHosts(rows: Awaited<ReturnType<typeof listHosts>>): Hosts {
  return new Map(rows.map(({ host, calendar_id: calendarId, slug }) => [host, { host, calendarId, slug }]))
}
