import { z } from 'zod'
import { isDate } from '#core/shared/zoned-time.ts'

/** The building blocks that every resource shares. Text is trimmed before it is measured. */

/**
 * A line of text: no control characters, so that nothing can be smuggled into a header or a calendar file.
 * `missing` is what is said when there is none at all.
 */
export function line(max: number, missing?: string) {
  return (
    z
      .string(missing)
      .trim()
      .max(max, tooLong(max))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
      .regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/, 'Please use a single line of text.')
  )
}

/** Text with line breaks. Carriage returns are folded into line feeds; other control characters are refused. */
export function paragraph(max: number) {
  return z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(max, tooLong(max))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
        .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'Please remove the control characters.'),
    )
}

function tooLong(max: number): string {
  return `Please use at most ${max} characters.`
}

export const idSchema = z.uuid()
/** An instant in UTC, RFC 3339 (`2026-12-01T09:00:00Z`). */
export const instantSchema = z.iso.datetime()
/** A calendar day, `yyyy-MM-dd`. */
export const dateSchema = z.string().refine(isDate, 'Please give a date as yyyy-MM-dd.')
/** A wall-clock time, `HH:MM:SS`. */
export const clockSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$|^24:00:00$/)
export const colorSchema = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Please choose a colour like #3498db.')
