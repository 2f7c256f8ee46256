import { AddressError } from '#server/platform/http/address-error.ts'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * The largest answer that is read, of any server. Twenty thousand events, the most that are compared (rule G25), take about 10 MB, and
 * SabreDAV, the server in Nextcloud, takes as much for one object. Google imports files of 1 MB.
 */
export const LARGEST_FILE_BYTES = 10_000_000

/** What an address that sent more means; null when it failed for another reason. */
export function toTooLargeError(error: unknown): CalendarTooLargeError | null {
  if (!(error instanceof AddressError) || error.problem !== 'too_large') return null
  return new CalendarTooLargeError('refused', error.message, { cause: error })
}
