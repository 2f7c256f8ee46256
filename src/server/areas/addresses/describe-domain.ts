import type { CalendarDomain } from '#contract/addresses/domains.ts'
import type { DomainRecord } from '#core/addresses/domain-records.ts'
import { toDomainReleaseMs } from '#core/addresses/domain-status.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { OwnCalendar } from '#server/records/calendars/to-calendar.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { PLAN_GATES } from '#server/records/subscription/plan-gates.ts'
import { getPlan } from '#server/records/subscription/use-cases.ts'
import { listRequiredRecords } from './check-dns-records.ts'
import type { AddressesDeps, DomainSetup } from './deps.ts'
import { findOwnSubdomain } from './find-subdomain.ts'
import { findCurrentHost, findHostOfCalendar, type HostRow } from './host-repository.ts'
import { listSubdomains } from './list-subdomains.ts'
import { findCanonicalAddress } from './use-cases.ts'

/** True when this installation supports custom domains. */
export function hasCustomDomains({ targets }: Pick<DomainSetup, 'targets'>): boolean {
  return targets.name !== null || targets.addresses.length > 0
}

/**
 * Returns the addresses of one of the owner's calendars. `looked` contains the DNS records if they were just checked.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function describeDomain(
  deps: Pick<AddressesDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier' | 'domains'>,
  ownerId: OwnerId,
  calendarId: string,
  looked?: readonly DomainRecord[],
): Promise<CalendarDomain> {
  const { db, domains } = deps
  const calendar = await getOwnCalendar(deps, ownerId, calendarId)
  const { type, path, custom_domain } = calendar.domain_settings
  const chosen = await findChosenHost(db, calendar)
  const host = type === 'custom' ? chosen : null
  const { plan } = await getPlan(deps, db, ownerId, new Date(deps.now()))
  const publicUrl = await findCanonicalAddress(deps, calendarId)
  if (publicUrl === null) throw new ProblemError('calendar.not_found')
  const letters = custom_domain === null ? null : domains.names.toUnicode(custom_domain)
  return {
    type,
    path,
    subdomain: await findSubdomain(deps, calendar, chosen),
    custom_domain,
    custom_domain_letters: letters === custom_domain ? null : letters,
    ...describeHost(host),
    certificate: chosen?.state === 'live' ? chosen.certificate : null,
    records:
      host === null || host.state === 'released'
        ? []
        : toAnswers(looked ?? listRequiredRecords(domains, host)),
    dns_page: domains.dnsPage,
    offers_subdomain: domains.subdomainHost !== null,
    offers_custom: hasCustomDomains(domains),
    custom_in_plan: PLAN_GATES.custom_domains.isIncluded(plan),
    public_url: publicUrl,
  }
}

/** Finds the subdomain or domain that the owner has chosen, in any state. Null when they chose a path. */
async function findChosenHost(db: Db, { id, domain_settings }: OwnCalendar): Promise<HostRow | null> {
  const { type, custom_domain } = domain_settings
  if (type === 'subdomain') return findCurrentHost(db, id)
  return type === 'custom' && custom_domain !== null ? findHostOfCalendar(db, id, custom_domain) : null
}

/** Finds the subdomain that a calendar has, or the first that it would get. Null when the installation offers none. */
async function findSubdomain(
  { db, domains }: Pick<AddressesDeps, 'db' | 'domains'>,
  calendar: OwnCalendar,
  chosen: HostRow | null,
): Promise<string | null> {
  if (calendar.domain_settings.type === 'subdomain' && chosen !== null) return chosen.host
  const own = await findOwnSubdomain(domains, db, calendar.id)
  return (own ?? listSubdomains(domains, calendar)[0])?.host ?? null
}

function describeHost(
  host: HostRow | null,
): Pick<CalendarDomain, 'state' | 'failing_since' | 'kept_until' | 'last_checked_at'> {
  const failingSince = host?.failing_since ?? null
  return {
    // Do not show a domain that belongs to an earlier choice.
    state: host === null || host.state === 'retired' ? null : host.state,
    failing_since: failingSince?.toISOString() ?? null,
    kept_until:
      failingSince === null ? null : new Date(toDomainReleaseMs(failingSince.getTime())).toISOString(),
    last_checked_at: host?.last_checked_at?.toISOString() ?? null,
  }
}

function toAnswers(records: readonly DomainRecord[]): CalendarDomain['records'] {
  return records.map(({ wanted, found, ...record }) => ({
    ...record,
    wanted: [...wanted],
    found: [...found],
  }))
}
