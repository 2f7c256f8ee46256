import { publicUrlOf } from '#core/addresses/public-url.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'
import { findAddressParts, findServedHostRow, type ServedHost } from './repository.ts'

export type FindAddressDeps = DefaultPlanSettings & {
  readonly db: Db
  readonly now: Clock
  /** The installation's own URL, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * Finds the role of a host name; null when it has none. A former host, or a custom domain that the plan no longer
 * includes, redirects to the current address. `host` is a lower-case A-label without a port and without a trailing dot.
 * Source: rules I7 and I9.
 */
export function findServedHost(
  deps: Pick<FindAddressDeps, 'db' | 'now' | 'defaultTier'>,
  host: string,
): Promise<ServedHost | null> {
  return findServedHostRow(deps, deps.db, host, new Date(deps.now()))
}

/**
 * Returns the URL where customers book, with the verified host, or else the path, or else the slug. It never depends on
 * the request. Null when the calendar does not exist. Source: rules I1 and I9.
 */
export async function findCanonicalAddress(
  deps: FindAddressDeps,
  calendarId: string,
): Promise<string | null> {
  const parts = await findAddressParts(deps, deps.db, calendarId, new Date(deps.now()))
  if (parts === null) return null
  return publicUrlOf(parts, deps.baseUrl)
}
