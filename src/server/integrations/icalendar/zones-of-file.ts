import { readLine } from './content-line.ts'
import { type EventZone, toEventZone, UNKNOWN_ZONE } from './event-zones.ts'
import { type CalendarFile, type CalendarZones, toZoneKey } from './read-calendar-file.ts'
import type { ReadingWork } from './reading-work.ts'
import { findIanaZone, findNamedZone, findZoneOfName } from './time-zone-names.ts'
import { readZoneDefinition, sharesOffset, type ZoneDefinition } from './zone-definition.ts'

/** The zone that a TZID of a calendar means; null means what names no zone. Two times in the same zone get the same object. */
export type ZoneOf = (tzid: string | null) => EventZone

/**
 * Builds what finds the zones of the calendars of a file; each definition is worked out once. An IANA name with a slash means what it
 * says, unless the definition in the file never shows the same time. Every other name means what its definition says, and else what
 * such a name usually means (`Eastern Standard Time 1`, `Zürich`). Where nothing fits, a time may be in any zone (rule G30).
 * Source: rule G4; RFC 5545 §3.6.5.
 */
export function buildZonesOfFile(
  { calendars }: Pick<CalendarFile, 'calendars'>,
  work: ReadingWork,
): (calendar: number, readerZone: string) => ZoneOf {
  const definitions = new Map<readonly string[], ZoneDefinition | null>()
  const readOnce = (lines: readonly string[]) => {
    const known = definitions.get(lines)
    if (known !== undefined) return known
    const definition = readZoneDefinition(lines, work)
    definitions.set(lines, definition)
    return definition
  }
  const find = (calendar: number, tzid: string): ZoneDefinition | null => {
    const own = calendars[calendar]?.zoneDefinitions.get(toZoneKey(tzid))
    // Some files explain a zone in another of their calendars.
    const lines =
      own ??
      calendars
        .map(({ zoneDefinitions }) => zoneDefinitions.get(toZoneKey(tzid)))
        .find((one) => one !== undefined)
    return lines === undefined ? null : readOnce(lines)
  }
  const zones = calendars.map(() => new Map<string, EventZone>())
  const zoneOfName = (calendar: number, tzid: string): EventZone => {
    const known = zones[calendar]?.get(tzid)
    if (known !== undefined) return known
    const zone = decideZone(tzid, find(calendar, tzid)) ?? UNKNOWN_ZONE
    zones[calendar]?.set(tzid, zone)
    return zone
  }
  return (calendar, readerZone) => {
    const name = calendars[calendar]?.zoneName ?? null
    const ofCalendar = name === null ? null : decideZone(name, find(calendar, name))
    const floating = ofCalendar ?? toEventZone(readerZone)
    return (tzid) => (tzid === null || tzid === '' ? floating : zoneOfName(calendar, tzid))
  }
}

/** Null when nothing says which zone it is. */
function decideZone(tzid: string, definition: ZoneDefinition | null): EventZone | null {
  const iana = findIanaZone(tzid) ?? findIanaZone(definition?.location ?? '')
  const named = iana === null ? null : toEventZone(iana)
  if (definition?.isCertain) {
    return named !== null && sharesOffset(definition.zone, named) ? named : definition.zone
  }
  return named ?? findZoneOfName(tzid) ?? definition?.zone ?? null
}

/** The zone that a file names for all of its calendars; null when it names none, or several. */
export function zoneOfFile({ calendars }: Pick<CalendarFile, 'calendars'>): string | null {
  const names = new Set(calendars.map(nameOfCalendar))
  const [only = null] = names
  return names.size === 1 ? only : null
}

function nameOfCalendar({ zoneName, zoneDefinitions }: CalendarZones): string | null {
  if (zoneName === null) return null
  // What only the file explains has no name elsewhere.
  const isExplained = zoneDefinitions.has(toZoneKey(zoneName))
  return findIanaZone(zoneName) ?? (isExplained ? null : findNamedZone(zoneName))
}

/** The zone of a VTIMEZONE that stands for itself, as a CalDAV server gives it for a calendar; null when only its rules tell. */
export function findZoneOfDefinitions({ calendars }: Pick<CalendarFile, 'calendars'>): string | null {
  const names = calendars.flatMap(({ zoneDefinitions }) =>
    [...zoneDefinitions.values()].flatMap((lines) =>
      ['TZID', 'X-LIC-LOCATION'].map(
        (wanted) => lines.map(readLine).find(({ name }) => name === wanted)?.value ?? '',
      ),
    ),
  )
  return names.map(findNamedZone).find((name) => name !== null) ?? null
}
