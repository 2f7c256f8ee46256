import type { CalendarAddress } from '#core/addresses/public-url.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { isFeatureInDefaultPlan, isFeatureInPlanSql } from '#server/records/subscription/plan-repository.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'

/** The role of a host name: it serves a calendar's booking page, or redirects to the calendar's current address. */
export type ServedHost = {
  readonly calendarId: string
  readonly slug: string
  readonly role: 'page' | 'redirect'
}

/**
 * SQL that is true when a host currently serves the pages of its calendar. A custom domain does so only while the plan
 * includes it. Source: rule I9.
 */
const SHOWS_PAGES = `(host.state = 'live' and (host.kind = 'subdomain' or ${isFeatureInPlanSql(
  'custom_domains',
  {
    calendarId: 'host.calendar_id',
    isInDefault: '$2::boolean',
    now: '$3::timestamptz',
  },
)}))`

/**
 * SQL that is true when links to a calendar currently use a host. A host that points elsewhere or has no certificate
 * yet is not used. Source: rules I15 and I16.
 */
const IS_ADDRESS = `(${SHOWS_PAGES} and host.failing_since is null and host.certificate = 'ready')`

const selectServedHost = prepareStatement<{ calendar_id: string; slug: string; shows_pages: boolean }>(
  'served-host',
  `select calendar.id as calendar_id, calendar.slug, ${SHOWS_PAGES} as shows_pages
  from calendar_hosts as host join calendars as calendar on calendar.id = host.calendar_id
  where host.host = $1 and host.state in ('live', 'retired')`,
)

/** Finds the role of a host name; null when it has none. `host` is a lower-case A-label without a port. */
export async function findServedHostRow(
  settings: DefaultPlanSettings,
  db: Db,
  host: string,
  now: Date,
): Promise<ServedHost | null> {
  const [row] = await selectServedHost(db, [host, isFeatureInDefaultPlan(settings, 'custom_domains'), now])
  if (row === undefined) return null
  return { calendarId: row.calendar_id, slug: row.slug, role: row.shows_pages ? 'page' : 'redirect' }
}

const selectAddressParts = prepareStatement<CalendarAddress>(
  'address-parts',
  `select calendar.slug, nullif(calendar.domain_settings ->> 'path', '') as path, (
    select host.host from calendar_hosts as host where host.calendar_id = calendar.id and ${IS_ADDRESS}
  ) as host
  from calendars as calendar where calendar.id = $1`,
)

/** Returns the parts of a calendar's address. Null when the calendar does not exist. */
export async function findAddressParts(
  settings: DefaultPlanSettings,
  db: Db,
  calendarId: string,
  now: Date,
): Promise<CalendarAddress | null> {
  const [row] = await selectAddressParts(db, [
    calendarId,
    isFeatureInDefaultPlan(settings, 'custom_domains'),
    now,
  ])
  return row ?? null
}

/**
 * Finds the calendar with this current or former path. Null when there is none. Requests for a former path are
 * redirected.
 */
export async function findCalendarOfPath(
  db: Db,
  path: string,
): Promise<{ readonly calendarId: string; readonly slug: string } | null> {
  const row = await db
    .selectFrom('public_calendars')
    .innerJoin('calendars', 'calendars.id', 'public_calendars.path_of')
    .select(['calendars.id', 'calendars.slug'])
    .where('public_calendars.slug', '=', path)
    .executeTakeFirst()
  return row === undefined ? null : { calendarId: row.id, slug: row.slug }
}
