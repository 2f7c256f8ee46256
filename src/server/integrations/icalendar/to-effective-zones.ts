import { CalendarProviderError, type ReaderZones } from '#server/ports/external-calendar.ts'

/**
 * Maximum number of zones in which one calendar is read, because the file is parsed once per zone. Source: rule G25.
 */
const MAX_ZONES = 8

/**
 * Returns the zones for a calendar's all-day events and floating times: the zone that it names, otherwise the zones of
 * the Meridian calendars that read it. Source: rule G4; RFC 5545 §3.3.5 defines this for floating times.
 * @throws CalendarProviderError `refused` when there are too many
 */
export function toEffectiveZones(named: string | null, readerZones: ReaderZones): ReaderZones {
  if (named !== null) return [named]
  if (readerZones.length > MAX_ZONES) {
    throw new CalendarProviderError(
      'refused',
      'This calendar names no time zone, and calendars in too many time zones use it.',
    )
  }
  return readerZones
}
