import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'
import type { NameFacts } from '#core/publishing/domain-name.ts'

/** What Node and the list of public suffixes (https://publicsuffix.org) know of names. */
export const NAME_FACTS: NameFacts = {
  toAscii: domainToASCII,
  toUnicode: domainToUnicode,
  // Names that companies let the public register, such as github.io, are as good as those of countries.
  findPublicSuffix: (ascii) => getPublicSuffix(ascii, { allowPrivateDomains: true }),
}
