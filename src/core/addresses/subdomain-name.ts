import { isReservedSlug, MAX_SLUG_LENGTH, toSlug } from './slug.ts'

/** Numbered variants that are tried before the slug: `osei`, `osei-2` to `osei-9`. */
const NUMBERED = 9

/**
 * Names that programs look up automatically (`autodiscover`, `wpad`), and names that people expect to belong to the
 * operator.
 */
const RESERVED_SUBDOMAINS: ReadonlySet<string> = new Set([
  'autoconfig',
  'autodiscover',
  'dev',
  'dns',
  'email',
  'files',
  'git',
  'host',
  'hostmaster',
  'isatap',
  'meridian',
  'mta-sts',
  'mx',
  'ns',
  'ns1',
  'ns2',
  'ns3',
  'ns4',
  'openpgpkey',
  'pages',
  'payments',
  'staging',
  'test',
  'vpn',
  'webmail',
  'webmaster',
  'wpad',
])

/** True when the installation reserves a subdomain for itself. Source: rule I3. */
export function isReservedSubdomain(label: string): boolean {
  return isReservedSlug(label) || RESERVED_SUBDOMAINS.has(label)
}

/** Lists candidate subdomains for a calendar in order: its name, its name with a number, its slug. Source: rule I3. */
export function listSubdomainCandidates({
  name,
  slug,
}: {
  readonly name: string
  readonly slug: string
}): string[] {
  const base = toSlug(name)
  const numbered = Array.from({ length: NUMBERED }, (_, i) => (i === 0 ? base : withNumber(base, i + 1)))
  const labels = [...(base === '' ? [] : numbered), slug]
  return [...new Set(labels)].filter((label) => !isReservedSubdomain(label))
}

function withNumber(base: string, number: number): string {
  return `${base.slice(0, MAX_SLUG_LENGTH - 3).replace(/-$/, '')}-${number}`
}
