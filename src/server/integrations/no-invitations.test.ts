import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  AppointmentEventContent,
  CalendarAccess,
  CalendarProvider,
} from '#server/ports/external-calendar.ts'
import { startScriptedGoogle } from '#tests/support/scripted-google.ts'
import { startScriptedGraph } from '#tests/support/scripted-graph.ts'
import type { ScriptedResponse } from '#tests/support/scripted-server.ts'
import { buildAppointmentObject } from './caldav/appointment-object.ts'

/**
 * Our writes must make providers send no emails, because we send our own, and must leave reminders to the owner's
 * calendar. Source: rule G9.
 */
const APPOINTMENT: AppointmentEventContent = {
  appointmentId: '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70',
  secret: '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f',
  startMs: Date.parse('2027-01-05T09:00:00Z'),
  endMs: Date.parse('2027-01-05T09:30:00Z'),
  timeZone: 'Europe/London',
  title: 'First talk · Grace Hopper',
  description: 'Customer: Grace Hopper, grace@example.com',
  location: '1 Harley Street',
  url: 'https://meridian.example/appointments/1',
  icalUid: '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70@meridian.example',
  sequence: 0,
}

type Written = { readonly method: string; readonly url: URL; readonly body: Record<string, unknown> }

type Started = {
  readonly provider: CalendarProvider
  readonly access: CalendarAccess
  readonly stop: () => Promise<void>
}

const providers = [
  {
    name: 'Google',
    start: startScriptedGoogle,
    event: { id: 'event', status: 'confirmed', etag: '"1"' },
    sendUpdates: 'none',
  },
  {
    name: 'Microsoft',
    start: startScriptedGraph,
    event: { id: 'event', '@odata.etag': 'W/"1"' },
    // Graph has no such parameter: it emails attendees, and our events have none.
    sendUpdates: null,
  },
] satisfies {
  name: string
  sendUpdates: string | null
  start: (script: (asked: URL, request: IncomingMessage) => ScriptedResponse) => Promise<Started>
  event: object
}[]

describe.each(providers)('$name', ({ start, event, sendUpdates }) => {
  const written: Written[] = []
  let server: Started

  beforeAll(async () => {
    server = await start((url, request) => (response) => {
      void readBody(request).then((body) => {
        const method = request.method ?? ''
        if (method !== 'GET') written.push({ method, url, body })
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(method === 'GET' ? FOUND_NOTHING : event))
      })
    })
    const { events } = server.provider
    const at = { externalId: 'calendar', eventRef: 'event', etag: null }
    await events?.create(server.access, 'calendar', APPOINTMENT)
    await events?.update(server.access, at, APPOINTMENT)
    await events?.remove(server.access, at)
  })
  afterAll(() => server.stop())

  test('is told of no guests and of no reminders', () => {
    expect(written.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE'])
    for (const { body } of written) {
      const names = Object.keys(body).map((key) => key.toLowerCase())
      expect(names.filter((key) => /attendee|organizer|remind|alarm/.test(key))).toEqual([])
    }
  })

  test('is told each time to send no updates, where there is a word for it', () => {
    const sent = written.map(({ url }) => url.searchParams.get('sendUpdates'))
    expect(sent).toEqual([sendUpdates, sendUpdates, sendUpdates])
  })
})

test('an object on a CalDAV server has no guests and no alarms', () => {
  const text = buildAppointmentObject({ ...APPOINTMENT, writtenAtMs: APPOINTMENT.startMs })
  expect(text).toContain('SUMMARY:First talk')
  expect(text).not.toMatch(/ATTENDEE|ORGANIZER|VALARM/)
})

/** An empty result makes Microsoft's adapter create a new event. */
const FOUND_NOTHING = { value: [] }

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : JSON.parse(text)
}
