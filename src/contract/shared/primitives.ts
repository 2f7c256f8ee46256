import { z } from 'zod'
import { FIRST_YEAR, isDate, LAST_YEAR } from '#core/shared/calendar-date.ts'
import { HOUR_CYCLES } from '#core/shared/hour-cycle.ts'
import {
  hasVisibleCharacters,
  isStorableText,
  normaliseToNfc,
  removeBidiControls,
} from '#core/shared/text.ts'
import { normaliseUserCode } from '#core/shared/typed-code.ts'

/**
 * The building blocks of all schemas. Every string in a request is `storableTextSchema`, `line` or `multilineTextSchema`; every id comes from `idOf`,
 * every instant from `instantInputSchema`. Lines and paragraphs are normalised (NFC) and trimmed before their length is checked. A string
 * without visible characters counts as empty. Source: rule X5.
 */

const UNSTORABLE = 'Please remove the characters we can’t store.'

/** A string, unchanged. Refuses strings that the database or JSON cannot store. `missing` is the error when it is absent. */
export function storableTextSchema(missing?: string) {
  return z.string(missing).refine(isStorableText, UNSTORABLE)
}

/**
 * A single line of text. Refuses control characters, so that nothing can be injected into a header or a calendar file. Removes
 * characters that change the direction of the surrounding text.
 */
export function singleLineSchema(max: number, missing?: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  const oneLine = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/
  return z
    .string(missing)
    .overwrite((text) => trimVisible(removeBidiControls(text)))
    .max(max, tooLong(max))
    .regex(oneLine, { error: 'Please use a single line of text.', abort: true })
    .refine(isStorableText, UNSTORABLE)
}

/** An emailed code, reduced to its digits. `wrong` is the error for any other text. */
export function emailedCodeSchema(max: number, wrong: string) {
  return singleLineSchema(max, wrong)
    .overwrite(normaliseUserCode)
    .refine((code) => /^\d*$/.test(code), wrong)
}

/** True when a string is a complete URL whose protocol, without the colon, matches `protocol`. */
export function isUrl(text: string, protocol: RegExp): boolean {
  return z.url({ protocol }).safeParse(text).success
}

/** Normalises a URL as browsers do, with its host in ASCII form (UTS #46); null when the string is not a URL. */
export function findNormalisedUrl(text: string): string | null {
  return z.url({ normalize: true }).safeParse(text).data ?? null
}

/** Text with line breaks. Converts carriage returns to line feeds and refuses other control characters. */
export function multilineTextSchema(max: number, missing?: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  const noControls = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/
  return z
    .string(missing)
    .overwrite((text) => trimVisible(text.replace(/\r\n?/g, '\n')))
    .max(max, tooLong(max))
    .regex(noControls, { error: 'Please remove the control characters.', abort: true })
    .refine(isStorableText, UNSTORABLE)
}

/** A line or a paragraph that may be missing: accepts null, and converts an empty text to null. */
export function orNull(text: z.ZodString) {
  return text.nullable().overwrite((given) => given || null)
}

function trimVisible(text: string): string {
  return hasVisibleCharacters(text) ? normaliseToNfc(text.trim()) : ''
}

function tooLong(max: number): string {
  return `Please use at most ${max} characters.`
}

/**
 * An id, converted to lower case as PostgreSQL formats it, because locks, limits and secrets are looked up by id. `unknown` is
 * the error for a malformed id.
 */
export function idSchemaWithError(unknown?: string) {
  return z.uuid(unknown).toLowerCase()
}
export const idSchema = idSchemaWithError()
/** An instant in a response: UTC, RFC 3339 (`2026-12-01T09:00:00Z`). */
export const instantSchema = z.iso.datetime().meta({ id: 'Instant' })
/**
 * An instant in a request, with any UTC offset. `unreadable` is the error for malformed text, `tooEarly` and `tooLate` for
 * unsupported years.
 */
export function instantInputSchema(problems: { unreadable: string; tooEarly: string; tooLate: string }) {
  return z.iso
    .datetime({ offset: true, error: problems.unreadable, abort: true })
    .refine((text) => yearOf(text) >= FIRST_YEAR, problems.tooEarly)
    .refine((text) => yearOf(text) <= LAST_YEAR, problems.tooLate)
}

/** The start time that the page showed. The request is refused when the appointment has been moved since. */
export const expectedStartSchema = instantInputSchema({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.time_required',
  tooLate: 'booking.time_required',
}).optional()

/** The year as written. In some time zones the same instant falls into another year; such instants are accepted. */
function yearOf(instant: string): number {
  return Number(instant.slice(0, 4))
}

/** A URL in a response. */
export const urlSchema = z.url()
/** A calendar day, `yyyy-MM-dd`. */
export const dateSchema = storableTextSchema().refine(isDate, 'Please enter a date as yyyy-MM-dd.')
/** A local time of day, `HH:MM:SS`; `24:00:00` is the end of the day. */
export const clockTimeSchema = storableTextSchema().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$|^24:00:00$/)
/** The clock on which times are shown: `h12` as in 3:00 PM, `h23` as in 15:00. Source: rule W24. */
export const hourCycleSchema = z.enum(HOUR_CYCLES)
export const colorSchema = storableTextSchema().regex(
  /^#[0-9a-fA-F]{6}$/,
  'Please choose a colour like #3498db.',
)
