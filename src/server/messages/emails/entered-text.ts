import { domainToUnicode } from 'node:url'
import { toReadableDomainName } from '#core/addresses/domain-name.ts'
import { hasLink } from '#core/messages/typed-links.ts'
import { LANGUAGE } from '#core/shared/locale.ts'
import { removeBidiControls, wrapInBidiIsolates } from '#core/shared/text.ts'

/**
 * Makes text that people typed safe for our emails. React already escapes HTML; the functions below handle plain text:
 * typed text must not start a line of its own, nor change the reading direction of the text after it.
 */

/** Matches every character that some mail client treats as a line break, and other control characters. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu

const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/

/** Reduces a name, title or address to one line of at most `maxLength` characters. */
export function toSingleLine(typed: string, maxLength = 300): string {
  const line = removeBidiControls(typed.toWellFormed()).replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim()
  return clip(line, maxLength)
}

/**
 * Like `toSingleLine`, but also wraps bidirectional text in Unicode isolates if needed, for use inside our own
 * sentences. Source: rule M21.
 */
export function toIsolatedName(typed: string, maxLength?: number): string {
  return wrapInBidiIsolates(toSingleLine(typed, maxLength))
}

/** Splits notes into lines, without empty lines at the beginning and the end. */
export function toLines(typed: string): string[] {
  return typed
    .toWellFormed()
    .split(LINE_BREAKS)
    .map((line) => removeBidiControls(line.replace(/[^\P{Cc}\t]+/gu, '')))
    .join('\n')
    .trim()
    .split('\n')
}

/**
 * Returns the name for a greeting; empty when it could be a link. Otherwise anybody could enter an advertisement as the
 * name, together with somebody else's address, and we would send it.
 */
export function toGreetingName(name: string): string {
  const line = toSingleLine(name, 80)
  return hasLink(line) ? '' : line
}

/** Returns a greeting: `Hello Alex Meyer,`. */
export function toGreeting(name: string): string {
  const addressee = toGreetingName(name)
  return addressee === '' ? 'Hello,' : `Hello ${addressee},`
}

/** Shortens a line. Cuts between grapheme clusters, so that no accent or emoji is split. */
function clip(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line
  let kept = ''
  for (const { segment } of new Intl.Segmenter(LANGUAGE).segment(line)) {
    if (kept.length + segment.length >= maxLength) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Formats an email address for display: international domains are shown in their own script. Source: rule X7. */
export function toReadableEmailAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return `${email.slice(0, at)}${toReadableDomainName(email.slice(at), domainToUnicode)}`
}
