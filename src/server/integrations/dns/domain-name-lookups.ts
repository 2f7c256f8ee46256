import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'
import type { DomainNameLookups } from '#core/addresses/domain-name.ts'

/** Domain name functions from Node and the public suffix list (https://publicsuffix.org). */
export const DOMAIN_NAME_LOOKUPS: DomainNameLookups = {
  toAscii: domainToASCII,
  toUnicode: domainToUnicode,
  // Include private suffixes of companies, such as github.io, below which anybody can register; they count like country
  // suffixes.
  findPublicSuffix: (ascii) => getPublicSuffix(ascii, { allowPrivateDomains: true }),
}
