import { isReservedSlug, MAX_SLUG_LENGTH, toSlug } from './slug.ts'

/** A calendar's name is tried with so many endings, `osei`, `osei-2` to `osei-9`, before its slug is. */
const NUMBERED = 9

/** Names that programs look up on their own (`autodiscover`, `wpad`), and names behind which people expect the operator. */
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

/** Whether the installation keeps a label for itself. Source: rule I3. */
export function isReservedSubdomain(label: string): boolean {
  return isReservedSlug(label) || RESERVED_SUBDOMAINS.has(label)
}

/**
 * The labels that a calendar may get as its subdomain, in the order in which they are tried: its name, its name with a number, its slug.
 * Source: rule I3.
 */
export function listSubdomainLabels({
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
