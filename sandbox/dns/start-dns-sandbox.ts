import type { DnsAnswer, DomainTargets, ResolvedName } from '#core/addresses/domain-records.ts'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Dns } from '#server/ports/dns.ts'
import { registerDnsPages } from './pages.ts'
import { getDnsServerBehavior, listDnsRecords, type SandboxDnsRecord } from './world.ts'

/** The simulated DNS servers. They can be made to contradict each other. */
const SERVERS = ['first', 'second'] as const
const MAX_NAMES = 8

export type DnsSandboxOptions = {
  readonly db: Db
  readonly targets: DomainTargets
}

export type DnsSandbox = {
  readonly dns: Dns
  /** URL of the page to set records. */
  readonly pageUrl: string
  readonly stop: () => Promise<void>
}

/**
 * Starts the DNS sandbox: a page on a loopback port to set records, and two simulated servers that answer with these records.
 * Stores its data in the database.
 */
export async function startDnsSandbox({ db, targets }: DnsSandboxOptions): Promise<DnsSandbox> {
  const server = await startSandboxServer((app) => registerDnsPages(app, { db, targets }))
  return { dns: buildSandboxDns(db, targets), pageUrl: `${server.url}/dns`, stop: server.stop }
}

function buildSandboxDns(db: Db, targets: DomainTargets): Dns {
  const ask = async <Found>(find: (records: readonly SandboxDnsRecord[]) => DnsAnswer<Found>) => {
    const [records, behavior] = [await listDnsRecords(db), await getDnsServerBehavior(db)]
    return SERVERS.map((server): DnsAnswer<Found> => {
      if (behavior === 'silent') return { outcome: 'unknown' }
      return behavior === 'contradicting' && server === 'second' ? { outcome: 'none' } : find(records)
    })
  }
  return {
    listTexts: (name) => ask((records) => toAnswer(valuesOf(records, name, 'TXT'))),
    listResolvedNames: (name) => ask((records) => findPointing(records, name, targets)),
  }
}

function findPointing(
  records: readonly SandboxDnsRecord[],
  name: string,
  targets: DomainTargets,
): DnsAnswer<ResolvedName> {
  const names: string[] = []
  for (let last = name; names.length < MAX_NAMES; ) {
    const [next] = valuesOf(records, last, 'CNAME')
    if (next === undefined) break
    names.push(next)
    last = next
  }
  const end = names.at(-1) ?? name
  const own = end === targets.name ? targets.addresses : []
  const addresses = [...own, ...valuesOf(records, end, 'A'), ...valuesOf(records, end, 'AAAA')]
  if (names.length === 0 && addresses.length === 0) return { outcome: 'none' }
  return { outcome: 'found', found: { names, addresses } }
}

function valuesOf(
  records: readonly SandboxDnsRecord[],
  name: string,
  type: SandboxDnsRecord['type'],
): string[] {
  return records.filter((record) => record.name === name && record.type === type).map(({ value }) => value)
}

function toAnswer(values: readonly string[]): DnsAnswer<readonly string[]> {
  return values.length === 0 ? { outcome: 'none' } : { outcome: 'found', found: values }
}
