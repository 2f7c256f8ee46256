import type { DnsAnswer, ResolvedName } from '#core/publishing/domain-records.ts'

/** Questions to the DNS. Each server that is asked gives an answer of its own; none of them ever throws. */
export type Dns = {
  /** The TXT records at a name; the parts of a long one are joined. */
  readonly listTexts: (name: string) => Promise<DnsAnswer<readonly string[]>[]>
  readonly listPointings: (name: string) => Promise<DnsAnswer<ResolvedName>[]>
}
