/// <reference path="./punycode.d.ts" />
import { toUnicode } from 'punycode.js'
import { toReadableDomainName } from '#core/addresses/domain-name.ts'

/** Decodes the domain of an email address from punycode. Source: rule X7. */
export function toReadableEmailAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  if (!email.includes('xn--', at)) return email
  return `${email.slice(0, at)}${toReadableDomainName(email.slice(at), toLetters)}`
}

/** Decodes a domain from punycode. Returns an empty string if that fails. */
function toLetters(name: string): string {
  try {
    return toUnicode(name)
  } catch {
    return ''
  }
}
