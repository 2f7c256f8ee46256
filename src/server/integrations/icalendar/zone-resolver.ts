import { parseContentLine } from './content-line.ts'
import { type EventZone, toEventZone, UNKNOWN_ZONE } from './event-zones.ts'
import { type CalendarFile, type CalendarZones, toZoneKey } from './read-calendar-file.ts'
import { findIanaName, findIanaNameOfZone, findZoneByName } from './time-zone-names.ts'
import type { WorkCounter } from './work-counter.ts'
import { haveCommonOffset, readZoneDefinition, type ZoneDefinition } from './zone-definition.ts'

/**
 * Resolves a TZID of a calendar to a zone; null stands for times without a zone. Times in the same zone get the same
 * object.
 */
export type ResolveZone = (tzid: string | null) => EventZone

/**
 * Builds the resolver for the zones of a file's calendars; each definition is computed once. An IANA name with a slash
 * means that zone, unless the definition in the file never has the same offset. Any other name means its definition or,
 * if there is none, the zone that such a name usually means (`Eastern Standard Time 1`, `Zürich`). If nothing matches,
 * the time could be in any zone (rule G30). Source: rule G4; RFC 5545 §3.6.5.
 */
export function buildZoneResolver(
  { calendars }: Pick<CalendarFile, 'calendars'>,
  work: WorkCounter,
): (calendar: number, readerZone: string) => ResolveZone {
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
    // Some files define a zone in a different calendar of the same file.
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

/** Decides which zone a TZID means; null when nothing identifies the zone. */
function decideZone(tzid: string, definition: ZoneDefinition | null): EventZone | null {
  const iana = findIanaName(tzid) ?? findIanaName(definition?.location ?? '')
  const named = iana === null ? null : toEventZone(iana)
  if (definition?.isCertain) {
    return named !== null && haveCommonOffset(definition.zone, named) ? named : definition.zone
  }
  return named ?? findZoneByName(tzid) ?? definition?.zone ?? null
}

/** Returns the zone that a file names for all of its calendars; null when it names none or several. */
export function findFileZone({ calendars }: Pick<CalendarFile, 'calendars'>): string | null {
  const names = new Set(calendars.map(nameOfCalendar))
  const [only = null] = names
  return names.size === 1 ? only : null
}

function nameOfCalendar({ zoneName, zoneDefinitions }: CalendarZones): string | null {
  if (zoneName === null) return null
  // A name that the file itself defines has no meaning elsewhere.
  const isExplained = zoneDefinitions.has(toZoneKey(zoneName))
  return findIanaName(zoneName) ?? (isExplained ? null : findIanaNameOfZone(zoneName))
}

/**
 * Returns the zone named in a single VTIMEZONE, which CalDAV servers report for a calendar; null when it has only
 * rules.
 */
export function findDefinedZone({ calendars }: Pick<CalendarFile, 'calendars'>): string | null {
  const names = calendars.flatMap(({ zoneDefinitions }) =>
    [...zoneDefinitions.values()].flatMap((lines) =>
      ['TZID', 'X-LIC-LOCATION'].map(
        (wanted) => lines.map(parseContentLine).find(({ name }) => name === wanted)?.value ?? '',
      ),
    ),
  )
  return names.map(findIanaNameOfZone).find((name) => name !== null) ?? null
}
