import type { DomainSetup } from '#server/areas/addresses/deps.ts'
import { buildDns, DOMAIN_NAME_LOOKUPS } from '#server/integrations/dns/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Dns } from '#server/ports/dns.ts'
import type { Config } from './config.ts'
import { startDnsStandIn } from './sandbox.ts'

type StartedDomains = {
  readonly setup: DomainSetup
  /** URL of the DNS stand-in's page; null when real DNS is used. */
  readonly dnsPageUrl: string | null
  readonly stop: () => Promise<void>
}

/**
 * Sets up the calendar addresses of the installation. In development without configured DNS servers, a stand-in with a
 * page replaces DNS.
 */
export async function startDomainServices(
  { BASE_URL, TLS_PROXY, domains, sandbox }: Pick<Config, 'BASE_URL' | 'TLS_PROXY' | 'domains' | 'sandbox'>,
  { db, dns: given }: { readonly db: Db; readonly dns: Dns | undefined },
): Promise<StartedDomains> {
  const { subdomainHost, targets, dnsServers } = domains
  const hosts = [new URL(BASE_URL).hostname, subdomainHost, targets.name]
  const ownHosts = [...new Set(hosts.filter((host) => host !== null))]
  const setup = { subdomainHost, targets, ownHosts, names: DOMAIN_NAME_LOOKUPS, tlsProxy: TLS_PROXY ?? null }
  const atOnce = (dns: Dns) => ({
    setup: { ...setup, dns, dnsPage: null },
    dnsPageUrl: null,
    stop: async () => {},
  })
  if (given !== undefined) return atOnce(given)
  if (sandbox && dnsServers.length === 0) {
    const { dns, pageUrl, stop } = await startDnsStandIn({ db, targets })
    return { setup: { ...setup, dns, dnsPage: '/sandbox/dns' }, dnsPageUrl: pageUrl, stop }
  }
  return atOnce(buildDns({ servers: dnsServers }))
}
