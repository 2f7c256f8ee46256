import type { Db } from '#server/platform/db/database.ts'
import type { DomainSetup } from './deps.ts'
import { listSubdomainsOf } from './host-repository.ts'

/** A subdomain. `label` is the part of `host` before the installation's name. */
export type Subdomain = { readonly label: string; readonly host: string }

/**
 * Finds the subdomain that a calendar has, or last had, under the installation's current name. This subdomain needs no
 * new certificate. Null when there is none. Source: rule I3.
 */
export async function findOwnSubdomain(
  { ownHosts, subdomainHost }: Pick<DomainSetup, 'ownHosts' | 'subdomainHost'>,
  db: Db,
  calendarId: string,
): Promise<Subdomain | null> {
  if (subdomainHost === null) return null
  for (const host of await listSubdomainsOf(db, calendarId)) {
    const [label = '', ...above] = host.split('.')
    if (above.join('.') === subdomainHost && !ownHosts.includes(host)) return { label, host }
  }
  return null
}
