import { Resolver } from 'node:dns/promises'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'
import type { DomainNameLookups } from '#core/addresses/domain-name.ts'
import type { DnsAnswer, ResolvedName } from '#core/addresses/domain-records.ts'
import type { Dns } from '#server/ports/dns.ts'

/** The public DNS resolvers of Cloudflare, Google and Quad9, used by default. */
const WELL_KNOWN_SERVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9']
/** Time limit for one query to one server; each query is tried twice. */
const TIMEOUT_MS = 2_000
const TRIES = 2
/** Time limit for all queries of one check: the owner of a CNAME chain could make it arbitrarily slow. */
const CHECK_LIMIT_MS = 8_000
/** Maximum number of CNAME records followed. A longer chain is a loop or an attack. */
const MAX_NAMES = 8
/** Maximum number of values that are read of a record. No honest domain has more. */
const MAX_VALUES = 50

/** Error codes that mean "no such record". Any other error means that the server gave no answer. */
const NO_RECORD: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Queries each DNS server separately, so that their answers can be compared. If `servers` is empty, the well-known ones
 * are used.
 */
export function buildDns({ servers }: { readonly servers: readonly string[] }): Dns {
  const askEach = <Found>(ask: (resolver: Resolver) => Promise<Found>) =>
    Promise.all((servers.length === 0 ? WELL_KNOWN_SERVERS : servers).map((server) => askServer(server, ask)))
  return {
    listTexts: (name) => askEach((resolver) => askTexts(resolver, name)),
    listResolvedNames: (name) => askEach((resolver) => askPointing(resolver, name)),
  }
}

/** A separate resolver for each check, because cancelling a resolver ends all of its queries. */
async function askServer<Found>(server: string, ask: (resolver: Resolver) => Promise<Found>): Promise<Found> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  resolver.setServers([server])
  const timer = setTimeout(() => resolver.cancel(), CHECK_LIMIT_MS)
  try {
    return await ask(resolver)
  } finally {
    clearTimeout(timer)
  }
}

async function askTexts(resolver: Resolver, name: string): Promise<DnsAnswer<readonly string[]>> {
  const answer = await ask(() => resolver.resolveTxt(name))
  if (answer.outcome !== 'found') return answer
  return { outcome: 'found', found: answer.found.slice(0, MAX_VALUES).map((parts) => parts.join('')) }
}

/**
 * Resolves a name to its addresses, and to the CNAME records on the way, which show where the domain's owner pointed
 * the name.
 */
async function askPointing(resolver: Resolver, name: string): Promise<DnsAnswer<ResolvedName>> {
  const [names, four, six] = await Promise.all([
    askNames(resolver, name),
    ask(() => resolver.resolve4(name)),
    ask(() => resolver.resolve6(name)),
  ])
  if (names.outcome === 'unknown' || four.outcome === 'unknown' || six.outcome === 'unknown') {
    return { outcome: 'unknown' }
  }
  const found: ResolvedName = {
    names: valuesOf(names),
    addresses: [...valuesOf(four), ...valuesOf(six)].slice(0, MAX_VALUES),
  }
  const isNothing = found.names.length === 0 && found.addresses.length === 0
  return isNothing ? { outcome: 'none' } : { outcome: 'found', found }
}

async function askNames(resolver: Resolver, name: string): Promise<DnsAnswer<readonly string[]>> {
  const names: string[] = []
  for (let next: string | undefined = name; next !== undefined && names.length < MAX_NAMES; ) {
    const asked: string = next
    const answer = await ask(() => resolver.resolveCname(asked))
    if (answer.outcome === 'unknown') return answer
    next = valuesOf(answer)[0]?.toLowerCase().replace(/\.$/, '')
    if (next !== undefined) names.push(next)
  }
  return names.length === 0 ? { outcome: 'none' } : { outcome: 'found', found: names }
}

async function ask<Value>(question: () => Promise<Value[]>): Promise<DnsAnswer<Value[]>> {
  try {
    const found = await question()
    return found.length === 0 ? { outcome: 'none' } : { outcome: 'found', found }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { outcome: NO_RECORD.has(code) ? 'none' : 'unknown' }
  }
}

function valuesOf<Value>(answer: DnsAnswer<readonly Value[]>): readonly Value[] {
  return answer.outcome === 'found' ? answer.found : []
}

/** Domain name functions from Node and the public suffix list (https://publicsuffix.org). */
export const DOMAIN_NAME_LOOKUPS: DomainNameLookups = {
  toAscii: domainToASCII,
  toUnicode: domainToUnicode,
  // Include private suffixes of companies, such as github.io, below which anybody can register; they count like country
  // suffixes.
  findPublicSuffix: (ascii) => getPublicSuffix(ascii, { allowPrivateDomains: true }),
}
