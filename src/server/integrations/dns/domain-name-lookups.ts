import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'
import type { DomainNameLookups } from '#core/publishing/domain-name.ts'

/** What Node and the list of public suffixes (https://publicsuffix.org) know of names. */
export const DOMAIN_NAME_LOOKUPS: DomainNameLookups = {
  toAscii: domainToASCII,
  toUnicode: domainToUnicode,
  // The list also has the ends of companies below which anybody can register, such as github.io. They count like those of countries.
  findPublicSuffix: (ascii) => getPublicSuffix(ascii, { allowPrivateDomains: true }),
}
