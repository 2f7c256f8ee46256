import { findDefinedZone } from '#server/integrations/icalendar/zone-resolver.ts'
import { truncateLongTexts } from '#server/integrations/reading/truncate-long-texts.ts'
import { CalendarTooLargeError, type ListedCalendar } from '#server/ports/external-calendar.ts'
import { readCalendarFile } from '../icalendar/read-calendar-file.ts'
import { findIanaNameOfZone } from '../icalendar/time-zone-names.ts'
import { type DavResource, findChildElement, findElementText, type XmlElement } from './multistatus.ts'

/** Privileges that allow writing events. Source: RFC 3744 §3. */
const WRITE_PRIVILEGES = ['all', 'write', 'write-content', 'bind']

/** Maximum number of calendars that are read. No person has more. */
const MOST_CALENDARS = 1_000

type Properties = DavResource['properties']

/** Returns the calendars among an account's resources that can contain events. */
export function toListedCalendars(parts: Iterable<DavResource>): ListedCalendar[] {
  const calendars: ListedCalendar[] = []
  for (const { url, isOk, properties } of parts) {
    const isCalendar = findChildElement(properties.get('resourcetype'), 'calendar') !== undefined
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
    name: (findElementText(properties.get('displayname')) ?? '').slice(0, 200) || lastPartOf(url),
    // Some servers append the opacity, as in #rrggbbaa, so it is cut off.
    color:
      /^#[0-9a-f]{6}/i.exec(findElementText(properties.get('calendar-color')) ?? '')?.[0].toLowerCase() ??
      null,
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
  const named = findIanaNameOfZone(findElementText(properties.get('calendar-timezone-id')) ?? '')
  const file = readCalendarFile(truncateLongTexts(findElementText(properties.get('calendar-timezone')) ?? ''))
  return named ?? (file === null ? null : findDefinedZone(file))
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
