import type { DomainNameLookups } from '#core/publishing/domain-name.ts'
import type { DomainTargets } from '#core/publishing/domain-records.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Dns } from '#server/ports/dns.ts'
import type { CalendarsDeps } from '#server/records/calendars/use-cases.ts'

/** The proxy that terminates TLS, as the product reaches it. */
export type TlsProxy = { readonly host: string; readonly port: number }

/** What the installation has for addresses of calendars besides paths. */
export type DomainSetup = {
  /** The name below which calendars get subdomains; null: there are none. */
  readonly subdomainHost: string | null
  readonly targets: DomainTargets
  /** All names of the installation itself. */
  readonly ownHosts: readonly string[]
  readonly names: DomainNameLookups
  readonly dns: Dns
  /** The page on which records are set where a stand-in answers; null where the real DNS is asked. */
  readonly dnsPage: string | null
  /** The proxy that is asked for certificates; null: the operator sees to them. */
  readonly tlsProxy: TlsProxy | null
}

export type AddressesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'> & {
  readonly domains: DomainSetup
  readonly budgets: Budgets
  readonly jobs: Pick<JobQueue, 'insert' | 'send'>
}
