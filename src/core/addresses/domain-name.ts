/** Domain name functions that need Node or the public suffix list; the server provides them. */
export type DomainNameLookups = {
  /** Converts a domain name to lower-case A-labels (punycode); empty when the name is invalid. */
  readonly toAscii: (name: string) => string
  /** Decodes A-labels (punycode) to Unicode. */
  readonly toUnicode: (ascii: string) => string
  /** Returns the public suffix of a name, such as `co.uk` or `github.io`; null when unknown. */
  readonly findPublicSuffix: (ascii: string) => string | null
}

/** The installation's own host names, as A-labels without a port. */
export type InstallationHosts = readonly string[]

export type DomainRefusal =
  | 'domain.not_a_name'
  | 'domain.with_more'
  | 'domain.is_ip_address'
  | 'domain.is_public_suffix'
  | 'domain.is_special'
  | 'domain.of_installation'
  | 'domain.mixes_scripts'

export type ValidatedDomain =
  | {
      readonly ok: true
      /** The host as lower-case A-labels. */
      readonly host: string
      /** True for a registrable domain such as `osei.org`, which cannot have a CNAME record. */
      readonly isRoot: boolean
    }
  | { readonly ok: false; readonly reason: DomainRefusal }

/**
 * Maximum length of a custom domain, so that `_meridian-challenge.` plus the domain is still valid (RFC 1035: 253
 * characters).
 */
export const MAX_DOMAIN_LENGTH = 233

/** The name of the TXT record that proves ownership of a domain. Source: rule I6. */
export function toOwnershipRecordName(host: string): string {
  return `_meridian-challenge.${host}`
}

/** Normalises a typed domain: lower case, trimmed, without a trailing dot. */
export function normaliseDomain(typed: string): string {
  return typed.trim().toLowerCase().replace(/\.$/, '')
}

/** True when text is formed like a domain. Used as a hint while the owner types. Source: rule I4. */
export function looksLikeDomain(typed: string): boolean {
  const labels = normaliseDomain(typed).split('.')
  return labels.length > 1 && labels.every((label) => /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u.test(label))
}

/** Validates the syntax of a custom domain. Ownership is checked later through DNS. Source: rules I4 and I5. */
export function validateDomain(
  typed: string,
  { names, ownHosts }: { readonly names: DomainNameLookups; readonly ownHosts: InstallationHosts },
): ValidatedDomain {
  const name = normaliseDomain(typed)
  const refuse = (reason: DomainRefusal) => ({ ok: false, reason }) as const
  if (/^\[?[\da-f]*:[\da-f:.]*:[\da-f:.]*\]?$/.test(name)) return refuse('domain.is_ip_address')
  if (/[/?#@\\:\s%]/.test(name)) return refuse('domain.with_more')
  const host = names.toAscii(name)
  const labels = host.split('.')
  // The URL standard parses a name whose last label is a number as an IPv4 address.
  if (/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')) return refuse('domain.is_ip_address')
  const letters = names.toUnicode(host)
  // A name with `xn--` is valid only if it decodes to Unicode and encodes back to the same name.
  const isWritten = !/(?:^|\.)xn--/.test(letters) && names.toAscii(letters) === host
  if (!isHostName(host) || !isWritten) return refuse('domain.not_a_name')
  if (letters.split('.').some(mixesScripts)) return refuse('domain.mixes_scripts')
  if (ownHosts.some((own) => isWithin(host, own))) return refuse('domain.of_installation')
  if (isSpecial(labels, ownHosts)) return refuse('domain.is_special')
  const suffix = names.findPublicSuffix(host)
  if (suffix === host) return refuse('domain.is_public_suffix')
  return { ok: true, host, isRoot: isRootDomain(host, suffix) }
}

/**
 * Returns the Unicode form of a name, or its ASCII form when a label mixes scripts like a homograph attack. Source:
 * rules I5 and X7.
 */
export function toReadableDomainName(ascii: string, toUnicode: DomainNameLookups['toUnicode']): string {
  const letters = toUnicode(ascii)
  return letters === '' || letters.split('.').some(mixesScripts) ? ascii : letters
}

/** True when a name is one label below a public suffix. */
export function isRootDomain(host: string, suffix: string | null): boolean {
  return suffix !== null && !host.slice(0, -suffix.length - 1).includes('.')
}

function isHostName(host: string): boolean {
  const labels = host.split('.')
  const isLabel = (label: string) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label)
  return labels.length > 1 && host.length <= MAX_DOMAIN_LENGTH && labels.every(isLabel)
}

/**
 * True when a name is one of the installation's own hosts or lies below one. On a trial installation at `localhost`,
 * names with one more label (`osei.localhost`) are subdomains of the installation; deeper names
 * (`termine.osei.localhost`) can be used to try custom domains.
 */
function isWithin(host: string, own: string): boolean {
  if (host === own) return true
  if (!host.endsWith(`.${own}`)) return false
  return own !== 'localhost' || !host.slice(0, -own.length - 1).includes('.')
}

/**
 * Special-use domains that never resolve on the internet. Source:
 * https://www.iana.org/assignments/special-use-domain-names
 */
const SPECIAL_ENDS: ReadonlySet<string> = new Set(['alt', 'arpa', 'invalid', 'local', 'localhost', 'onion'])

function isSpecial(labels: readonly string[], ownHosts: InstallationHosts): boolean {
  const last = labels.at(-1) ?? ''
  return SPECIAL_ENDS.has(last) && !(last === 'localhost' && ownHosts.includes('localhost'))
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Georgian',
  'Ethiopic',
  'Cherokee',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Han',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

const NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u

/**
 * Scripts that one label may combine. Source: https://www.unicode.org/reports/tr39/#Restriction_Level_Detection, highly
 * restrictive
 */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
]

/** True when a label combines scripts that no language combines, as in homograph attacks. */
function mixesScripts(label: string): boolean {
  const scripts = new Set<string>()
  for (const letter of label) {
    if (NO_SCRIPT.test(letter)) continue
    scripts.add(SCRIPTS.find(([, has]) => has.test(letter))?.[0] ?? 'another')
  }
  if (scripts.size < 2) return false
  return !TOGETHER.some((together) => [...scripts].every((script) => together.has(script)))
}
