/** What is known of names beyond their letters. Node and the list of public suffixes give it to the server. */
export type DomainNameLookups = {
  /** The A-labels of a name, in lower case; empty when it is no name. */
  readonly toAscii: (name: string) => string
  /** The letters that A-labels stand for. */
  readonly toUnicode: (ascii: string) => string
  /** The end of a name below which anybody can register, such as `co.uk` or `github.io`; null when it is not known. */
  readonly findPublicSuffix: (ascii: string) => string | null
}

/** Names that belong to the installation, as A-labels without a port. */
export type OwnHosts = readonly string[]

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
      /** The lower-case A-label. */
      readonly host: string
      /** What the owner registered, such as `osei.org`: it cannot have a CNAME record. */
      readonly isRoot: boolean
    }
  | { readonly ok: false; readonly reason: DomainRefusal }

/** The longest domain, so that `_meridian-challenge.` before it is still a name (RFC 1035: 253 characters). */
export const MAX_DOMAIN_LENGTH = 233

/** Where the proof of a domain stands. Source: rule I6. */
export function toChallengeName(host: string): string {
  return `_meridian-challenge.${host}`
}

/** What an owner types, as it is judged: lower case, without spaces around it and without the dot at its end. */
export function normaliseDomain(typed: string): string {
  return typed.trim().toLowerCase().replace(/\.$/, '')
}

/** Letters, digits, dashes and dots as a domain has them. It is advice while somebody types. Source: rule I4. */
export function looksLikeDomain(typed: string): boolean {
  const labels = normaliseDomain(typed).split('.')
  return labels.length > 1 && labels.every((label) => /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u.test(label))
}

/** Judges what an owner typed as a domain of theirs. Whose it is shows later, by its records. Source: rules I4 and I5. */
export function validateDomain(
  typed: string,
  { names, ownHosts }: { readonly names: DomainNameLookups; readonly ownHosts: OwnHosts },
): ValidatedDomain {
  const name = normaliseDomain(typed)
  const refuse = (reason: DomainRefusal) => ({ ok: false, reason }) as const
  if (/^\[?[\da-f]*:[\da-f:.]*:[\da-f:.]*\]?$/.test(name)) return refuse('domain.is_ip_address')
  if (/[/?#@\\:\s%]/.test(name)) return refuse('domain.with_more')
  const host = names.toAscii(name)
  const labels = host.split('.')
  // The URL standard reads a name whose last label is a number as an IPv4 address, in any of its spellings.
  if (/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')) return refuse('domain.is_ip_address')
  const letters = names.toUnicode(host)
  // Something that begins with `xn--` is an A-label only if it can be decoded, and if its letters are encoded as it again.
  const isWritten = !/(?:^|\.)xn--/.test(letters) && names.toAscii(letters) === host
  if (!isHostName(host) || !isWritten) return refuse('domain.not_a_name')
  if (letters.split('.').some(mixesScripts)) return refuse('domain.mixes_scripts')
  if (ownHosts.some((own) => isWithin(host, own))) return refuse('domain.of_installation')
  if (isSpecial(labels, ownHosts)) return refuse('domain.is_special')
  const suffix = names.findPublicSuffix(host)
  if (suffix === host) return refuse('domain.is_public_suffix')
  return { ok: true, host, isRoot: isRootDomain(host, suffix) }
}

/** A name as people read it: its letters, unless a label mixes scripts as look-alikes do. Source: rules I5 and X7. */
export function toReadableName(ascii: string, toUnicode: DomainNameLookups['toUnicode']): string {
  const letters = toUnicode(ascii)
  return letters === '' || letters.split('.').some(mixesScripts) ? ascii : letters
}

/** Whether a name is what its owner registered, one label below a public suffix. */
export function isRootDomain(host: string, suffix: string | null): boolean {
  return suffix !== null && !host.slice(0, -suffix.length - 1).includes('.')
}

function isHostName(host: string): boolean {
  const labels = host.split('.')
  const isLabel = (label: string) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label)
  return labels.length > 1 && host.length <= MAX_DOMAIN_LENGTH && labels.every(isLabel)
}

/**
 * Whether a name is the installation's own or lies below it. A trial on one machine has everything below `localhost`: names with one label
 * before it (`osei.localhost`) are subdomains of the installation, and deeper ones (`termine.osei.localhost`) can be tried as domains.
 */
function isWithin(host: string, own: string): boolean {
  if (host === own) return true
  if (!host.endsWith(`.${own}`)) return false
  return own !== 'localhost' || !host.slice(0, -own.length - 1).includes('.')
}

/** Names that never lead anywhere on the internet. Source: https://www.iana.org/assignments/special-use-domain-names */
const SPECIAL_ENDS: ReadonlySet<string> = new Set(['alt', 'arpa', 'invalid', 'local', 'localhost', 'onion'])

function isSpecial(labels: readonly string[], ownHosts: OwnHosts): boolean {
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

/** Scripts that one word may have together. Source: https://www.unicode.org/reports/tr39/#Restriction_Level_Detection, highly restrictive */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
]

/** Whether a label has letters of scripts that no language writes together, as look-alikes of other names do. */
function mixesScripts(label: string): boolean {
  const scripts = new Set<string>()
  for (const letter of label) {
    if (NO_SCRIPT.test(letter)) continue
    scripts.add(SCRIPTS.find(([, has]) => has.test(letter))?.[0] ?? 'another')
  }
  if (scripts.size < 2) return false
  return !TOGETHER.some((together) => [...scripts].every((script) => together.has(script)))
}
