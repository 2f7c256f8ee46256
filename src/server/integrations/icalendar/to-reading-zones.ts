import { CalendarProviderError, type ReaderZones } from '#server/ports/external-calendar.ts'

/** Each zone costs a reading of its own. Source: rule G25. */
const MAX_ZONES = 8

/**
 * The zones in which the all-day events and floating times of a calendar are: the one that it names, else those of its readers.
 * Source: rule G4; RFC 5545 §3.3.5 says so of floating times.
 * @throws CalendarProviderError `refused` when those are too many
 */
export function toReadingZones(named: string | null, readerZones: ReaderZones): ReaderZones {
  if (named !== null) return [named]
  if (readerZones.length > MAX_ZONES) {
    throw new CalendarProviderError(
      'refused',
      'This calendar names no time zone, and calendars in too many time zones use it.',
    )
  }
  return readerZones
}
