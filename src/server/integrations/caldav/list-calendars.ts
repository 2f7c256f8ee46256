import { CalendarTooLargeError, type ListedCalendar } from '#server/ports/external-calendar.ts'
import { readCalendarFile } from '../icalendar/read-calendar-file.ts'
import { findNamedZone } from '../icalendar/time-zone-names.ts'
import { findZoneOfDefinitions } from '../icalendar/zones-of-file.ts'
import { limitFile } from '../reading/bound-file.ts'
import { type DavPart, findChild, textOf, type XmlElement } from './multistatus.ts'

/** Privileges that allow writing events. Source: RFC 3744 §3. */
const WRITE_PRIVILEGES = ['all', 'write', 'write-content', 'bind']

/** Maximum number of calendars that are read. No person has more. */
const MOST_CALENDARS = 1_000

type Properties = DavPart['properties']

/** Returns the calendars among an account's resources that can contain events. */
export function toListedCalendars(parts: Iterable<DavPart>): ListedCalendar[] {
  const calendars: ListedCalendar[] = []
  for (const { url, isOk, properties } of parts) {
    const isCalendar = findChild(properties.get('resourcetype'), 'calendar') !== undefined
    if (isOk && isCalendar && hasEvents(properties)) calendars.push(toListed(url, properties))
    if (calendars.length > MOST_CALENDARS)
      throw new CalendarTooLargeError('refused', 'The account has more than 1,000 calendars.')
  }
  // CalDAV has no primary calendar; the first writable one is the best guess.
  const primary = calendars.find(({ canWrite }) => canWrite)
  return calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary }))
}

/**
 * True when a resource can contain events: task lists are calendars too. A calendar that does not list its component
 * types supports all of them.
 */
function hasEvents(properties: Properties): boolean {
  const components = properties.get('supported-calendar-component-set')?.children ?? []
  const names = components.filter(({ name }) => name === 'comp').map(({ attributes }) => attributes.name)
  return names.length === 0 || names.includes('VEVENT')
}

function toListed(url: string, properties: Properties): ListedCalendar {
  return {
    externalId: url,
    name: (textOf(properties.get('displayname')) ?? '').slice(0, 200) || lastPartOf(url),
    // Some servers append the opacity, as in #rrggbbaa, so it is cut off.
    color: /^#[0-9a-f]{6}/i.exec(textOf(properties.get('calendar-color')) ?? '')?.[0].toLowerCase() ?? null,
    timeZone: zoneOf(properties),
    isPrimary: false,
    canWrite: canWrite(properties.get('current-user-privilege-set')),
  }
}

function lastPartOf(url: string): string {
  const part = new URL(url).pathname
    .split('/')
    .filter((text) => text !== '')
    .at(-1)
  return part ?? new URL(url).host
}

function zoneOf(properties: Properties): string | null {
  const named = findNamedZone(textOf(properties.get('calendar-timezone-id')) ?? '')
  const file = readCalendarFile(limitFile(textOf(properties.get('calendar-timezone')) ?? ''))
  return named ?? (file === null ? null : findZoneOfDefinitions(file))
}

/**
 * True when the owner may write events. If the server does not report privileges, this assumes so; the first write will
 * show whether it is true.
 */
function canWrite(set: XmlElement | undefined): boolean {
  if (set === undefined || !set.children.some(({ name }) => name === 'privilege')) return true
  return set.children.some(
    ({ name, children }) =>
      name === 'privilege' && children.some((one) => WRITE_PRIVILEGES.includes(one.name)),
  )
}
