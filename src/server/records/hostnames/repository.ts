import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { VerifiedHost } from './to-calendar-address.ts'

/**
 * SQL, for a query of `calendars`, that selects the verified host used in links to a calendar. A domain that points
 * elsewhere is left out, because its current holder would receive the secrets in the links. A host without a
 * certificate is left out too, because browsers would show a warning. Source: rules I15 and I16.
 */
export const VERIFIED_HOST_SQL = sql<VerifiedHost | null>`(
  select json_build_object(
    'host', host.host, 'kind', host.kind, 'tier', plan.tier,
    'ends_at_ms', round(extract(epoch from plan.ends_at) * 1000)
  )
  from calendar_hosts as host left join subscriptions as plan on plan.user_id = calendars.user_id
  where host.calendar_id = calendars.id and host.state = 'live' and host.failing_since is null
    and host.certificate = 'ready'
)`

/** A host name that serves a calendar's page, or redirects from a former address to the current one. */
export type HostRow = { readonly host: string; readonly calendar_id: string; readonly slug: string }

const selectVersion = prepareStatement<{ version: string }>(
  'host-version',
  'select version from host_versions',
)

/** Returns a version number, as text, that increases whenever a host of any calendar changes. */
export async function findHostVersion(db: Db): Promise<string | null> {
  const [row] = await selectVersion(db, [])
  return row?.version ?? null
}

/** Lists every host that serves a calendar or redirects to it. Unverified hosts are left out. */
export async function listHosts(db: Db): Promise<HostRow[]> {
  return db
    .selectFrom('calendar_hosts')
    .innerJoin('calendars', 'calendars.id', 'calendar_hosts.calendar_id')
    .select(['calendar_hosts.host', 'calendars.id as calendar_id', 'calendars.slug'])
    .where('calendar_hosts.state', 'in', ['live', 'retired'])
    .execute()
}
