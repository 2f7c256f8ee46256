import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { LiveHost } from './to-address.ts'

/**
 * SQL for the proven host to which links to a calendar lead, in a query of `calendars`. A domain that was found to lead elsewhere is
 * none, because its present holder would get what is in the links, and neither is a host without a certificate, of which browsers would
 * warn. Source: rules I15 and I16.
 */
export const LIVE_HOST = sql<LiveHost | null>`(
  select json_build_object(
    'host', host.host, 'kind', host.kind, 'tier', plan.tier,
    'ends_at_ms', round(extract(epoch from plan.ends_at) * 1000)
  )
  from calendar_hosts as host left join subscriptions as plan on plan.user_id = calendars.user_id
  where host.calendar_id = calendars.id and host.state = 'live' and host.failing_since is null
    and host.certificate = 'ready'
)`

/** A host name that leads to a calendar: to its page, or from an earlier address to the present one. */
export type HostRow = { readonly host: string; readonly calendar_id: string; readonly slug: string }

const selectVersion = prepareStatement<{ version: string }>(
  'host-version',
  'select version from host_versions',
)

/** A number that grows whenever a host of a calendar changes, as a text. */
export async function findHostVersion(db: Db): Promise<string | null> {
  const [row] = await selectVersion(db, [])
  return row?.version ?? null
}

/** Every host that leads to a calendar. Names that nobody has proven are none. */
export async function listHosts(db: Db): Promise<HostRow[]> {
  return db
    .selectFrom('calendar_hosts')
    .innerJoin('calendars', 'calendars.id', 'calendar_hosts.calendar_id')
    .select(['calendar_hosts.host', 'calendars.id as calendar_id', 'calendars.slug'])
    .where('calendar_hosts.state', 'in', ['live', 'retired'])
    .execute()
}
