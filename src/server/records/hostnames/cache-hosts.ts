import type { Db } from '#server/platform/db/database.ts'
import type { CalendarHost } from '#server/platform/http/request-hosts.ts'
import type { Log } from '#server/platform/log.ts'
import { withTimeout } from '#server/platform/with-timeout.ts'
import { findHostVersion, listHosts } from './repository.ts'

export type HostCache = {
  /**
   * Returns the calendar of a host name (as normalised by `toHostName`), or null. Uses the cache, which is less than a
   * second old while the database is available.
   * @throws the database error if no load has succeeded yet
   */
  readonly find: (host: string) => Promise<CalendarHost | null>
}

type Hosts = ReadonlyMap<string, CalendarHost>

export type HostCacheDeps = {
  readonly db: Db
  readonly log: Pick<Log, 'warn'>
  /** A monotonic clock in milliseconds. Tests replace it. */
  readonly elapsedMs?: () => number
}

/** Age of the cache, in milliseconds, from which it is refreshed in the background. */
const RENEW_MS = 400
/** Age of the cache, in milliseconds, from which a lookup waits for the refresh. */
const STALE_MS = 900
/** Maximum wait for a refresh, in milliseconds. Afterwards lookups are answered from the cache. */
const LONGEST_WAIT_MS = 500

/**
 * Caches the hosts of all calendars, so that lookups, even of unknown names, cost no database query. While lookups
 * arrive, each process compares the cache's version with one database row twice a second. LISTEN/NOTIFY is not used: it
 * needs a connection outside the pool, and the embedded database has only one connection. While the database is
 * unavailable, the last known hosts stay valid. Source: rule J4.
 */
export function cacheHosts(deps: HostCacheDeps): HostCache {
  const elapsedMs = deps.elapsedMs ?? (() => performance.now())
  let hosts: Hosts | null = null
  let version: string | null = null
  let comparedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let comparing: Promise<Hosts> | null = null

  const compare = async (): Promise<Hosts> => {
    // Take the time before the query, so that the next refresh finds a change made during the query.
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
  /** Returns the cache if it is fresh enough, otherwise the result of a refresh. */
  const read = async (): Promise<Hosts> => {
    const known = hosts
    if (known === null) return compareOnce()
    const nowMs = elapsedMs()
    const ageMs = nowMs - comparedAtMs
    if (ageMs < RENEW_MS) return known
    if (comparing === null) {
      // After a failed refresh, wait before the next attempt.
      if (nowMs - triedAtMs < RENEW_MS) return known
      compareOnce().catch(() => {})
    }
    const leftMs = LONGEST_WAIT_MS - (nowMs - triedAtMs)
    // Do not wait any longer: otherwise a thousand lookups a second would pile up behind a database that hangs.
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
