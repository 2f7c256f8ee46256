/// <reference path="./punycode.d.ts" />
import { toUnicode } from 'punycode.js'
import { toReadableName } from '#core/addresses/domain-name.ts'

/** An email address as people read it: an international domain in its letters. Source: rule X7. */
export function toReadableAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  if (!email.includes('xn--', at)) return email
  return `${email.slice(0, at)}${toReadableName(email.slice(at), toLetters)}`
}

/** Empty when it cannot be decoded. */
function toLetters(name: string): string {
  try {
    return toUnicode(name)
  } catch {
    return ''
  }
}
