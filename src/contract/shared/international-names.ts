import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { findNormalisedUrl, storableTextSchema } from './primitives.ts'

/**
 * Converts a host name to its ASCII form (UTS #46): `müller.de` becomes `xn--mller-kva.de`. Returns ASCII names
 * unchanged, and null for text that is not a host name.
 */
function toAsciiHost(name: string): string | null {
  if (/^[\x20-\x7e]*$/.test(name)) return name
  // These characters would end the host name in a URL. NFKC also detects their full-width forms.
  if (/[\s/?#@:%\\[\]]/.test(name.normalize('NFKC'))) return null
  return findNormalisedUrl(`http://${name}`)?.slice('http://'.length, -1) ?? null
}

/**
 * Converts the domain of an email address to its ASCII form, in which addresses are stored. Returns other text unchanged. Source:
 * rule X7.
 */
export function toAsciiEmailAddress(typed: string): string {
  const at = typed.lastIndexOf('@')
  const host = at < 1 ? null : toAsciiHost(typed.slice(at + 1))
  return host === null ? typed : `${typed.slice(0, at)}@${host}`
}

/**
 * Converts the domain in a search word to its ASCII form, in which addresses are stored: `ada@müller.de`, `@müller.de` and
 * `müller.de`. Returns other words unchanged. Source: rule V6.
 */
export function toAsciiSearchWord(word: string): string {
  const hostAt = word.lastIndexOf('@') + 1
  if (hostAt === 0 && !word.includes('.')) return word
  const host = word.slice(hostAt)
  return word.slice(0, hostAt) + (toAsciiHost(host) ?? host)
}

/** Converts the host in a typed website URL to its ASCII form. Returns other text unchanged. Source: rule W19. */
export function toAsciiWebsiteUrl(typed: string): string {
  const [, scheme = '', name = '', rest = ''] = /^([a-z]+:\/\/)?([^/?#:]*)(.*)$/isu.exec(typed) ?? []
  return `${scheme}${toAsciiHost(name) ?? name}${rest}`
}

/**
 * True when the part before the `@` is ASCII, so that every mail server can deliver to the address. Others need SMTPUTF8 (RFC
 * 6531).
 */
function hasAsciiMailbox(address: string): boolean {
  return /^[\x20-\x7e]*@/.test(address) || !address.includes('@')
}

/** zod's pattern for email addresses, extended to allow top-level domains in their ASCII form, such as `xn--zckzah`. */
const ADDRESS =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/

/** An email address. Its domain may contain letters of any language, and is stored in its ASCII form. Source: rule X7. */
export const emailAddressSchema = storableTextSchema()
  .overwrite(toAsciiEmailAddress)
  .max(LIMITS.email, 'auth.invalid_email')
  .refine(hasAsciiMailbox, {
    error: 'The part before the @ can’t have accented letters. Please enter another address.',
    abort: true,
  })
  .pipe(z.email({ pattern: ADDRESS, error: 'auth.invalid_email' }))
