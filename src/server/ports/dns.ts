import type { DnsAnswer, ResolvedName } from '#core/addresses/domain-records.ts'

/** DNS queries. A query returns one answer per configured server, and never throws. */
export type Dns = {
  /** Returns the TXT records of a name; multi-part records are joined. */
  readonly listTexts: (name: string) => Promise<DnsAnswer<readonly string[]>[]>
  readonly listResolvedNames: (name: string) => Promise<DnsAnswer<ResolvedName>[]>
}
