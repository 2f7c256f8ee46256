import { listSubdomainLabels } from '#core/publishing/subdomain-name.ts'
import type { DomainSetup } from './deps.ts'

/** The subdomains that a calendar may get, the best first. None is a name of the installation itself. Source: rule I3. */
export function listSubdomains(
  { ownHosts, subdomainHost }: Pick<DomainSetup, 'ownHosts' | 'subdomainHost'>,
  calendar: { readonly name: string; readonly slug: string },
): { readonly label: string; readonly host: string }[] {
  if (subdomainHost === null) return []
  return listSubdomainLabels(calendar)
    .map((label) => ({ label, host: `${label}.${subdomainHost}` }))
    .filter(({ host }) => !ownHosts.includes(host))
}
