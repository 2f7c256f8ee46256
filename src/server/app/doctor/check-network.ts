import { DAY_MS } from '#core/shared/duration.ts'
import type { Config } from '../config.ts'
import { type Finding, toErrorMessage, toFailedFinding, toPassedFinding } from './finding.ts'

/** Network functions for the checks; tests replace them. */
export type NetworkProbes = {
  /** Resolves a name to its addresses. @throws Error when it has none */
  readonly resolve: (name: string) => Promise<readonly string[]>
  /**
   * Returns the expiry of a host's certificate, in epoch milliseconds.
   * @throws Error when there is no connection, or browsers would not trust the certificate
   */
  readonly readCertificateEnd: (host: string, port: number) => Promise<number>
}

/**
 * Minimum remaining validity of a certificate. Certificates with automatic renewal are renewed a month before they
 * expire.
 */
const MIN_VALIDITY_MS = 14 * DAY_MS
/** A subdomain that no calendar can have, because calendars' subdomains contain no underscore. */
const ANY_SUBDOMAIN = '_doctor'

/** Checks the installation's DNS names and the certificate of its own host. */
export async function checkNetwork(
  config: Config,
  network: NetworkProbes,
  now: () => number,
): Promise<Finding[]> {
  const { hostname, protocol, port } = new URL(config.BASE_URL)
  const { subdomainHost, targets } = config.domains
  const names = [
    { name: hostname, setting: 'BASE_URL' },
    ...(subdomainHost === null
      ? []
      : [{ name: `${ANY_SUBDOMAIN}.${subdomainHost}`, setting: 'SUBDOMAIN_HOST' }]),
    ...(targets.name === null ? [] : [{ name: targets.name, setting: 'CUSTOM_DOMAIN_CNAME' }]),
  ]
  const findings = await Promise.all(names.map((asked) => checkName(network, asked)))
  if (protocol !== 'https:') return findings
  return [...findings, await checkCertificate(network, now, { hostname, port: Number(port || 443) })]
}

async function checkName(
  { resolve }: NetworkProbes,
  { name, setting }: { readonly name: string; readonly setting: string },
): Promise<Finding> {
  const what = `${name} has an address`
  try {
    if ((await resolve(name)).length > 0) return toPassedFinding('dns', what)
  } catch {
    // A name that does not exist throws, which means the same as an empty response.
  }
  const record = setting === 'SUBDOMAIN_HOST' ? 'a wildcard record (*)' : 'an A or AAAA record'
  return toFailedFinding(
    'dns',
    what,
    `${name} of ${setting} has no address in the DNS; set ${record} for it, or correct ${setting}.`,
  )
}

async function checkCertificate(
  { readCertificateEnd }: NetworkProbes,
  now: () => number,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<Finding> {
  const what = `${hostname} has a certificate`
  try {
    const daysLeft = Math.floor(((await readCertificateEnd(hostname, port)) - now()) / DAY_MS)
    if (daysLeft * DAY_MS >= MIN_VALIDITY_MS) return toPassedFinding('tls', what)
    return toFailedFinding(
      'tls',
      what,
      `The certificate of ${hostname} ends in ${daysLeft} days and was not renewed; look into the log of the proxy.`,
    )
  } catch (error) {
    return toFailedFinding(
      'tls',
      what,
      `No browser trusts ${hostname}:${port} (${toErrorMessage(error)}); check that the proxy runs and has a certificate for it.`,
    )
  }
}
