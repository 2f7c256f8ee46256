import { AddressError } from '#server/platform/http/address-error.ts'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * Maximum size of any server's answer. Twenty thousand events, the most that are compared (rule G25), take about 10 MB;
 * SabreDAV, the server in Nextcloud, allows as much for one object. Google imports files of up to 1 MB.
 */
export const LARGEST_FILE_BYTES = 10_000_000

/** Translates a response that was too large; null for any other error. */
export function toTooLargeError(error: unknown): CalendarTooLargeError | null {
  if (!(error instanceof AddressError) || error.problem !== 'too_large') return null
  return new CalendarTooLargeError('refused', error.message, { cause: error })
}
