import { publicUrlOf } from '#core/publishing/public-url.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlanSettings } from '#server/records/subscription/use-cases.ts'
import { findAddressParts, findServedHostRow, type ServedHost } from './repository.ts'

export type FindAddressDeps = PlanSettings & {
  readonly db: Db
  readonly now: Clock
  /** The installation's own address, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * What a host name does; null when it does nothing. A host that was an address before, or that the plan has no more, leads to the
 * present one. `host` is a lower-case A-label without a port and without a dot at its end. Source: rules I7 and I9.
 */
export function findServedHost(
  deps: Pick<FindAddressDeps, 'db' | 'now' | 'defaultTier'>,
  host: string,
): Promise<ServedHost | null> {
  return findServedHostRow(deps, deps.db, host, new Date(deps.now()))
}

/**
 * Where customers book with a calendar: its verified host, else its path, else its slug. It is never what a request said.
 * Null when there is no such calendar. Source: rules I1 and I9.
 */
export async function findCanonicalAddress(
  deps: FindAddressDeps,
  calendarId: string,
): Promise<string | null> {
  const parts = await findAddressParts(deps, deps.db, calendarId, new Date(deps.now()))
  if (parts === null) return null
  return publicUrlOf(parts, deps.baseUrl)
}
