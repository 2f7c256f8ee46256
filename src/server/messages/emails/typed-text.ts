import { domainToUnicode } from 'node:url'
import { hasLink } from '#core/abuse/typed-links.ts'
import { toReadableName } from '#core/publishing/domain-name.ts'
import { LANGUAGE } from '#core/shared/locale.ts'
import { isolate, withoutDirectionControls } from '#core/shared/text.ts'

/**
 * Makes typed text safe among our own words. React escapes HTML; this is about text: nothing typed may begin a line of
 * its own, and nothing may change the reading direction of what follows it.
 */

/** Every character that some reader takes for a line break, and the other control characters. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu

const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/

/** A name, a title or an address on one line, at most `maxLength` characters long. */
export function toSingleLine(typed: string, maxLength = 300): string {
  const line = withoutDirectionControls(typed.toWellFormed())
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return clip(line, maxLength)
}

/** A name or a title within our own words: `toSingleLine`, isolated where it needs that. Source: rule M21. */
export function toIsolatedName(typed: string, maxLength?: number): string {
  return isolate(toSingleLine(typed, maxLength))
}

/** Notes, line by line, without a beginning or an end of empty lines. */
export function toLines(typed: string): string[] {
  return typed
    .toWellFormed()
    .split(LINE_BREAKS)
    .map((line) => withoutDirectionControls(line.replace(/[^\P{Cc}\t]+/gu, '')))
    .join('\n')
    .trim()
    .split('\n')
}

/**
 * The name that a message addresses; empty when it could be a link. Otherwise anybody could type a name and somebody
 * else's address, and we would send their advertisement.
 */
export function toAddressee(name: string): string {
  const line = toSingleLine(name, 80)
  return hasLink(line) ? '' : line
}

/** `Hello Alex Meyer,` */
export function toGreeting(name: string): string {
  const addressee = toAddressee(name)
  return addressee === '' ? 'Hello,' : `Hello ${addressee},`
}

/** Cuts between characters as people see them, so that no accent and no emoji is cut in half. */
function clip(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line
  let kept = ''
  for (const { segment } of new Intl.Segmenter(LANGUAGE).segment(line)) {
    if (kept.length + segment.length >= maxLength) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** An email address as people read it: an international domain in its letters. Source: rule X7. */
export function toReadableAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return `${email.slice(0, at)}${toReadableName(email.slice(at), domainToUnicode)}`
}
