import { z } from 'zod'
import { FIRST_YEAR, isDate, LAST_YEAR } from '#core/shared/calendar-date.ts'
import { isStorable, isVisible, normaliseToNfc, withoutDirectionControls } from '#core/shared/text.ts'
import { normaliseTypedCode } from '#core/shared/typed-code.ts'

/**
 * The building blocks of every resource. Every text that somebody sends is `anyText`, a line or a paragraph; every id
 * is made by `idOf`, every instant by `anyInstant`. Lines and paragraphs are composed (NFC) and trimmed before they are measured. A text
 * without visible characters is empty. Source: rule X5.
 */

const UNSTORABLE = 'Please remove the characters that cannot be stored.'

/**
 * A text as it was sent. Text that the database or JSON cannot store is refused. `missing` is the sentence when there
 * is none.
 */
export function anyText(missing?: string) {
  return z.string(missing).refine(isStorable, UNSTORABLE)
}

/**
 * A line of text: no control characters, so that nothing can be smuggled into a header or a calendar file. Characters that
 * turn the direction of the text around them are left out.
 */
export function line(max: number, missing?: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  const oneLine = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/
  return z
    .string(missing)
    .overwrite((text) => trimVisible(withoutDirectionControls(text)))
    .max(max, tooLong(max))
    .regex(oneLine, { error: 'Please use a single line of text.', abort: true })
    .refine(isStorable, UNSTORABLE)
}

/** The digits of a code that we sent by email, however they were typed. `wrong` is the sentence for anything else. */
export function emailedCode(max: number, wrong: string) {
  return line(max, wrong)
    .overwrite(normaliseTypedCode)
    .refine((code) => /^\d*$/.test(code), wrong)
}

/** Whether a text is a whole address. `protocol` is without the colon. */
export function isAddress(text: string, protocol: RegExp): boolean {
  return z.url({ protocol }).safeParse(text).success
}

/** The address as browsers write it, with its host in the ASCII form (UTS #46); null when it is none. */
export function findNormalAddress(text: string): string | null {
  return z.url({ normalize: true }).safeParse(text).data ?? null
}

/** Text with line breaks. Carriage returns are folded into line feeds; other control characters are refused. */
export function paragraph(max: number, missing?: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  const noControls = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/
  return z
    .string(missing)
    .overwrite((text) => trimVisible(text.replace(/\r\n?/g, '\n')))
    .max(max, tooLong(max))
    .regex(noControls, { error: 'Please remove the control characters.', abort: true })
    .refine(isStorable, UNSTORABLE)
}

function trimVisible(text: string): string {
  return isVisible(text) ? normaliseToNfc(text.trim()) : ''
}

function tooLong(max: number): string {
  return `Please use at most ${max} characters.`
}

/**
 * An id in lower case, as PostgreSQL writes it, however it was sent: locks, limits and secrets are found by it.
 * `unknown` is the sentence for a malformed one.
 */
export function idOf(unknown?: string) {
  return z.uuid(unknown).toLowerCase()
}
export const idSchema = idOf()
/** An instant in UTC, RFC 3339 (`2026-12-01T09:00:00Z`), as answers have it. */
export const instantSchema = z.iso.datetime()
/**
 * An instant as it was sent, with any offset, in the supported years. `unreadable` is the sentence for anything else,
 * `tooEarly` and `tooLate` for other years.
 */
export function anyInstant(problems: { unreadable: string; tooEarly: string; tooLate: string }) {
  return z.iso
    .datetime({ offset: true, error: problems.unreadable, abort: true })
    .refine((text) => yearOf(text) >= FIRST_YEAR, problems.tooEarly)
    .refine((text) => yearOf(text) <= LAST_YEAR, problems.tooLate)
}

/** The start of an appointment that a page showed, so that nobody decides about an appointment that was moved meanwhile. */
export const startSeen = anyInstant({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.time_required',
  tooLate: 'booking.time_required',
}).optional()

/** The year of the date as it is written. A zone may already be in another year, and such instants are stored, too. */
function yearOf(instant: string): number {
  return Number(instant.slice(0, 4))
}

/** An address that an answer leads to. */
export const addressSchema = z.url()
/** A calendar day, `yyyy-MM-dd`. */
export const dateSchema = anyText().refine(isDate, 'Please give a date as yyyy-MM-dd.')
/** A wall-clock time, `HH:MM:SS`. */
export const clockSchema = anyText().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$|^24:00:00$/)
export const colorSchema = anyText().regex(/^#[0-9a-fA-F]{6}$/, 'Please choose a colour like #3498db.')
