import type { DomainNameLookups } from '#core/addresses/domain-name.ts'
import type { DomainTargets } from '#core/addresses/domain-records.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Dns } from '#server/ports/dns.ts'
import type { CalendarsDeps } from '#server/records/calendars/use-cases.ts'

/** The proxy that terminates TLS, at the address where the product reaches it. */
export type TlsProxy = { readonly host: string; readonly port: number }

/** The installation's settings for subdomains and custom domains. */
export type DomainSetup = {
  /** The domain under which calendars get subdomains; null when the installation offers none. */
  readonly subdomainHost: string | null
  readonly targets: DomainTargets
  /** All host names of the installation itself. */
  readonly ownHosts: readonly string[]
  readonly names: DomainNameLookups
  readonly dns: Dns
  /** URL of the page for setting records at a sandbox DNS; null when the real DNS is used. */
  readonly dnsPage: string | null
  /** The proxy that obtains certificates; null when the operator is responsible for them. */
  readonly tlsProxy: TlsProxy | null
}

export type AddressesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'> & {
  readonly domains: DomainSetup
  readonly budgets: Budgets
  readonly jobs: Pick<JobQueue, 'insert' | 'send'>
}
