import {
  BERLIN_TIME_ZONE_LINES,
  toCalendarText,
  toEventLines,
  toTimePropertyLine,
} from '#tests/support/persons-event-file.ts'
import type { Radicale } from '#tests/support/radicale.ts'

/** The start and the end, as instants. */
type Time = { readonly startsAt: string; readonly endsAt: string }

/** An event as stored on the server. */
export type StoredEvent = { readonly url: string; readonly etag: string; readonly text: string }

/** Another calendar client of the same person, which talks to the server by HTTP. Its calendars are identified by name. */
export type CaldavClient = {
  makeCalendar(name: string): Promise<void>
  addEvent(calendar: string, event: Time & { readonly title: string }): Promise<void>
  /** Moves an event to another time, in Berlin's time zone, unless the event has changed since it was read. */
  moveEvent(event: StoredEvent, time: Time): Promise<void>
  listEvents(calendar: string): Promise<StoredEvent[]>
}

/** Opens an account of a CalDAV server in another calendar client. */
export function openCaldavClient({ url, username, password }: Radicale): CaldavClient {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (method: string, address: URL, body?: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(address, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const folderOf = (calendar: string) =>
    new URL(`${encodeURIComponent(username)}/${encodeURIComponent(calendar)}/`, url)
  const put = (address: URL, text: string, headers: Record<string, string> = {}) =>
    ask('PUT', address, text, { 'content-type': 'text/calendar; charset=utf-8', ...headers })
  const read = async (address: URL): Promise<StoredEvent> => {
    const answer = await ask('GET', address)
    return { url: address.href, etag: answer.headers.get('etag') ?? '', text: await answer.text() }
  }

  return {
    async makeCalendar(name) {
      await ask('MKCALENDAR', folderOf(name), toMakeCalendar(name), { 'content-type': 'application/xml' })
    },
    async addEvent(calendar, event) {
      const lines = toEventLines(event.title, username, event)
      const address = new URL(`${encodeURIComponent(event.title)}.ics`, folderOf(calendar))
      await put(address, toCalendarText([...BERLIN_TIME_ZONE_LINES, ...lines]))
    },
    async moveEvent({ url: address, etag, text }, { startsAt, endsAt }) {
      const moved = text
        .replace(/^DTSTART.*\r?\n/m, `${toTimePropertyLine('DTSTART', startsAt)}\r\n`)
        .replace(/^DTEND.*\r?\n/m, `${toTimePropertyLine('DTEND', endsAt)}\r\n`)
        .replace('BEGIN:VEVENT', [...BERLIN_TIME_ZONE_LINES, 'BEGIN:VEVENT'].join('\r\n'))
      await put(new URL(address), moved, { 'if-match': etag })
    },
    async listEvents(calendar) {
      const folder = folderOf(calendar)
      const answer = await ask('PROPFIND', folder, LIST_NAMES, {
        'content-type': 'application/xml',
        depth: '1',
      })
      const names = [...(await answer.text()).matchAll(/<(?:\w+:)?href>([^<]+\.ics)</g)]
      // An event may be deleted between the list request and the request for the event.
      const gone = (error: Error) => {
        if (error.message.includes(': 404 ')) return null
        throw error
      }
      const events = await Promise.all(names.map(([, name]) => read(new URL(name ?? '', folder)).catch(gone)))
      return events.filter((event) => event !== null)
    },
  }
}

/** Returns the value of a property of the event in a calendar file, with folded lines joined; null when the event lacks it. */
export function readEventProperty(file: string, property: string): string | null {
  const [, event = ''] = /BEGIN:VEVENT(.*?)END:VEVENT/s.exec(file) ?? []
  // Long lines are folded onto several lines. Source: RFC 5545 §3.1.
  const lines = event.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const line = lines.find((each) => each.startsWith(`${property}:`) || each.startsWith(`${property};`))
  return line === undefined ? null : line.slice(line.indexOf(':') + 1)
}

function toMakeCalendar(name: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
<D:displayname>${name}</D:displayname>
<C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>
</D:prop></D:set></C:mkcalendar>`
}

const LIST_NAMES = `<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>`
