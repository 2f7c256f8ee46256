import { listSubdomainCandidates } from '#core/addresses/subdomain-name.ts'
import type { DomainSetup } from './deps.ts'
import type { Subdomain } from './find-subdomain.ts'

/**
 * Lists the subdomains that a calendar without one may get, the best first. Names of the installation itself are left
 * out. Source: rule I3.
 */
export function listSubdomains(
  { ownHosts, subdomainHost }: Pick<DomainSetup, 'ownHosts' | 'subdomainHost'>,
  calendar: { readonly name: string; readonly slug: string },
): Subdomain[] {
  if (subdomainHost === null) return []
  return listSubdomainCandidates(calendar)
    .map((label) => ({ label, host: `${label}.${subdomainHost}` }))
    .filter(({ host }) => !ownHosts.includes(host))
}
