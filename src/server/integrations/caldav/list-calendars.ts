import { propfind } from 'tsdav'
import type { ListedCalendar } from '#server/ports/external-calendar.ts'
import { zoneOfFile } from '../icalendar/event-reader.ts'
import { readCalendarFile } from '../icalendar/read-calendar-file.ts'
import { findNamedZone } from '../icalendar/time-zone-names.ts'
import { listElements, toList, toParts, toText } from './dav-answers.ts'
import type { DavFetch } from './dav-fetch.ts'

const PROPERTIES = {
  'd:displayname': {},
  'd:resourcetype': {},
  'd:current-user-privilege-set': {},
  'ca:calendar-color': {},
  'c:calendar-timezone': {},
  'c:calendar-timezone-id': {},
  'c:supported-calendar-component-set': {},
}

/** Privileges that allow an event to be written. Source: RFC 3744 §3. */
const WRITE_PRIVILEGES = ['all', 'write', 'writeContent', 'bind']

type Properties = Readonly<Record<string, unknown>>

/** Lists the calendars of an account that have events. @throws CalendarProviderError */
export async function listDavCalendars(fetch: DavFetch, homeUrl: string): Promise<ListedCalendar[]> {
  const parts = toParts(await propfind({ url: homeUrl, props: PROPERTIES, depth: '1', fetch }))
  const calendars = parts
    .filter(
      ({ ok, props }) =>
        ok && listElements(props?.resourcetype).includes('calendar') && hasEvents(props ?? {}),
    )
    .map(({ href, props }) => toListed(new URL(href, homeUrl).href, props ?? {}))
  // CalDAV names no primary calendar; the first that can be written is the best guess.
  const primary = calendars.find(({ canWrite }) => canWrite)
  return calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary }))
}

/** A list of tasks is a calendar, too. One that does not say what it has has everything. */
function hasEvents({ supportedCalendarComponentSet: set }: Properties): boolean {
  const components = typeof set === 'object' && set !== null && 'comp' in set ? toList(set.comp) : []
  const names = components.map((component) => attributeOf(component, 'name'))
  return names.length === 0 || names.includes('VEVENT')
}

function attributeOf(element: unknown, name: string): string | null {
  if (typeof element !== 'object' || element === null || !('_attributes' in element)) return null
  const attributes: unknown = element._attributes
  return typeof attributes === 'object' && attributes !== null
    ? toText(Object.entries(attributes).find(([key]) => key === name)?.[1])
    : null
}

function toListed(url: string, properties: Properties): ListedCalendar {
  return {
    externalId: url,
    name: (toText(properties.displayname) ?? '').trim().slice(0, 200) || lastPartOf(url),
    // Some servers add the opacity: #rrggbbaa.
    color: /^#[0-9a-f]{6}/i.exec(toText(properties.calendarColor) ?? '')?.[0].toLowerCase() ?? null,
    timeZone: zoneOf(properties),
    isPrimary: false,
    canWrite: canWrite(properties.currentUserPrivilegeSet),
  }
}

function lastPartOf(url: string): string {
  const part = new URL(url).pathname
    .split('/')
    .filter((text) => text !== '')
    .at(-1)
  return part ?? new URL(url).host
}

function zoneOf({ calendarTimezoneId: id, calendarTimezone: definition }: Properties): string | null {
  const named = findNamedZone(toText(id) ?? '')
  const file = readCalendarFile(toText(definition) ?? '')
  return named ?? (file === null ? null : zoneOfFile(file))
}

/** A server that does not tell is asked at the first write. */
function canWrite(set: unknown): boolean {
  if (typeof set !== 'object' || set === null || !('privilege' in set)) return true
  return toList(set.privilege).some((privilege) =>
    listElements(privilege).some((name) => WRITE_PRIVILEGES.includes(name)),
  )
}
