import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import * as fc from '#tests/support/fast-check.ts'
import { buildCalendarFile, type CalendarFileKind } from './calendar-file.ts'
import { toLines, toSingleLine } from './entered-text.ts'

const KINDS: readonly CalendarFileKind[] = ['invitation', 'cancellation', 'owner-copy', 'owner-cancellation']

describe('an invitation', () => {
  test('asks for the customer by REQUEST, from the owner through the operator, with nothing left to answer', () => {
    const { file, event, calendar } = read('invitation')
    expect(file.contentType).toBe('text/calendar; charset=utf-8; method=REQUEST')
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(event.getFirstPropertyValue('status')).toBe('CONFIRMED')

    const organizer = event.getFirstProperty('organizer')
    expect(organizer?.getFirstValue()).toBe('mailto:meredith@clinic.example')
    expect(organizer?.getParameter('cn')).toBe('Dr. Meredith Grey')
    expect(organizer?.getParameter('sent-by')).toBe('mailto:appointments@book.example')

    const [attendee, ...others] = event.getAllProperties('attendee')
    expect(others).toEqual([])
    expect(String(attendee?.getFirstValue()).toLowerCase()).toBe('mailto:alex@mail.example')
    expect(attendee?.getParameter('cn')).toBe('Alex Meyer')
    expect(attendee?.getParameter('partstat')).toBe('ACCEPTED')
    expect(attendee?.getParameter('rsvp')).toBe('FALSE')
  })

  test('says what, where, and how to come back', () => {
    const { event } = read('invitation')
    expect(event.getFirstPropertyValue('summary')).toBe('First consultation · Dr. Meredith Grey')
    expect(event.getFirstPropertyValue('location')).toBe('Harley Street Practice, 12 Harley Street, London')
    expect(event.getFirstPropertyValue('url')).toBe(makeAppointmentMailContent().manageUrl)
    expect(event.getFirstPropertyValue('description')).toBe(
      [
        'Tuesday, December 1, 2026, 9:30 AM – 10:00 AM (London time, GMT)',
        'Notes:\n> It hurts when I climb stairs.',
        'Booking reference: BK-1795772400123',
        'View your booking: https://book.example/book/dr-grey/confirmation?appointment_id=7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11',
        'Cancel this appointment: https://book.example/cancel/7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11',
      ].join('\n\n'),
    )
  })

  test('does not repeat a name that the title has already', () => {
    const { event } = read('invitation', { title: 'Appointment with Dr. Meredith Grey' })
    expect(event.getFirstPropertyValue('summary')).toBe('Appointment with Dr. Meredith Grey')
  })

  test('says Online for an online appointment, and nothing where nobody said where', () => {
    expect(read('invitation', { isOnline: true }).event.getFirstPropertyValue('location')).toBe('Online')
    expect(read('invitation', { location: null }).event.getFirstProperty('location')).toBeNull()
  })
})

describe('a cancellation', () => {
  test('cancels the same entry with a later revision', () => {
    const invitation = read('invitation', { sequence: 2 })
    const { file, event, calendar } = read('cancellation', { sequence: 3 })
    expect(file.contentType).toBe('text/calendar; charset=utf-8; method=CANCEL')
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(event.getFirstPropertyValue('status')).toBe('CANCELLED')
    expect(event.getFirstPropertyValue('uid')).toBe(invitation.event.getFirstPropertyValue('uid'))
    expect(invitation.event.getFirstPropertyValue('sequence')).toBe(2)
    expect(event.getFirstPropertyValue('sequence')).toBe(3)
    expect(event.getAllProperties('attendee')).toHaveLength(1)
    expect(event.getFirstPropertyValue('transp')).toBe('TRANSPARENT')
  })

  test('takes back what was published to the owner, for nobody else', () => {
    const copy = read('owner-copy', { sequence: 2 })
    const { file, event, calendar } = read('owner-cancellation', { sequence: 3 })
    expect(file.filename).toBe('appointment-cancelled.ics')
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(event.getFirstPropertyValue('status')).toBe('CANCELLED')
    expect(event.getFirstPropertyValue('uid')).toBe(copy.event.getFirstPropertyValue('uid'))
    expect(event.getFirstPropertyValue('sequence')).toBe(3)
    expect(event.getAllProperties('attendee')).toEqual([])
  })

  test('has no links to pages that are gone', () => {
    expect(read('cancellation').file.content).not.toContain('https://')
  })
})

describe("the owner's copy", () => {
  test('is published, not sent as an invitation to oneself', () => {
    const { calendar, event } = read('owner-copy')
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
    // RFC 5546 §3.2.1: a published entry has no attendees.
    expect(event.getAllProperties('attendee')).toEqual([])
    expect(event.getFirstPropertyValue('summary')).toBe('First consultation · Alex Meyer')
    expect(event.getFirstPropertyValue('description')).toContain(
      'Customer: Alex Meyer, alex@mail.example, +44 20 7946 0123',
    )
  })
})

describe('every calendar file', () => {
  test.each(KINDS)('of kind %s has one UID per appointment and installation', (kind) => {
    const uid = read(kind).event.getFirstPropertyValue('uid')
    expect(uid).toBe('7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11@book.example')
    const elsewhere = buildCalendarFile(
      makeAppointmentMailContent(),
      { ...MAIL_ORIGIN, host: 'other.example:8443' },
      kind,
    )
    expect(elsewhere.content).toContain('UID:7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b11@other.example\r\n')
  })

  test.each([
    ['Europe/London', '2026-07-01T08:30:00Z', 'DTSTART:20260701T083000Z'],
    ['Asia/Kathmandu', '2026-12-01T18:15:00Z', 'DTSTART:20261201T181500Z'],
    ['America/St_Johns', '2026-12-01T03:30:00Z', 'DTSTART:20261201T033000Z'],
    ['Europe/London', '2026-10-25T01:30:00Z', 'DTSTART:20261025T013000Z'],
    ['America/New_York', '2027-03-14T06:59:00Z', 'DTSTART:20270314T065900Z'],
  ])('in %s at %s carries the instant in UTC', (timeZone, startsAt, line) => {
    const { file } = read('invitation', { timeZone, startsAt, endsAt: '2027-04-01T00:00:00Z' })
    expect(file.content.split('\r\n')).toContain(line)
    expect(file.content).not.toContain('TZID')
  })

  test('names the local time of its reader in the description', () => {
    const zones = { timeZone: 'Europe/London', customerTimeZone: 'Asia/Kathmandu' }
    const descriptionOf = (kind: CalendarFileKind) =>
      read(kind, zones).event.getFirstPropertyValue('description')
    expect(descriptionOf('invitation')).toContain('3:15 PM – 3:45 PM (Kathmandu time, GMT+5:45)')
    expect(descriptionOf('owner-copy')).toContain('9:30 AM – 10:00 AM (London time, GMT)')
  })

  test('is stamped with the last change, so that a repeat is the same file', () => {
    expect(read('invitation').file).toEqual(read('invitation').file)
    expect(read('invitation').file.content).toContain('DTSTAMP:20261121T110000Z\r\n')
  })

  test('folds its lines at 75 octets, ends each with CRLF, and keeps what was typed, whatever it was', () => {
    fc.assert(
      fc.property(typed, typed, typed, fc.constantFrom(...KINDS), (name, title, notes, kind) => {
        const facts = makeAppointmentMailContent({
          title,
          description: notes,
          customer: { name, email: 'alex@mail.example', phone: null },
          calendar: { ...makeAppointmentMailContent().calendar, professionalName: `Dr. ${name}` },
          location: { name, address: title },
        })
        const { content } = buildCalendarFile(facts, MAIL_ORIGIN, kind)
        expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)

        const event = eventIn(parse(content))
        expect(namesOf(event)).toEqual(namesOf(read(kind).event))
        expect(event.getFirstPropertyValue('summary')).toContain(toSingleLine(title))
        expect(event.getFirstProperty('organizer')?.getParameter('cn')).toBe(asParameter(`Dr. ${name}`))
        expect(event.getFirstPropertyValue('uid')).toBe(`${facts.appointmentId}@book.example`)
        const description = String(event.getFirstPropertyValue('description'))
        if (kind !== 'cancellation') {
          for (const line of toLines(notes)) expect(description).toContain(`> ${line}`.trimEnd())
        }
        for (const attendee of event.getAllProperties('attendee')) {
          expect(attendee.getParameter('cn')).toBe(asParameter(name))
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Generates texts as people type them, and texts that try to add a property. */
const typed = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '"',
        '^n',
        "^'",
        ',',
        ';',
        ':',
        '\\',
        '\\n',
        '\u2028',
        '\u0000',
        '\t',
      ),
      fc.constantFrom(
        '\r\nATTENDEE:mailto:x@evil.example',
        '\r\nEND:VEVENT\r\nBEGIN:VEVENT',
        'שלום',
        '👩‍👩‍👧',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `x${parts.join('')}y`)

function read(kind: CalendarFileKind, changes: Parameters<typeof makeAppointmentMailContent>[0] = {}) {
  const file = buildCalendarFile(makeAppointmentMailContent(changes), MAIL_ORIGIN, kind)
  const calendar = parse(file.content)
  return { file, calendar, event: eventIn(calendar) }
}

function parse(content: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(content))
}

function eventIn(calendar: ICAL.Component): ICAL.Component {
  const [event, ...others] = calendar.getAllSubcomponents('vevent')
  if (event === undefined || others.length > 0) throw new Error('Not exactly one event')
  return event
}

function asParameter(name: string): string {
  return toSingleLine(name).replaceAll('\\', '/')
}

function namesOf(event: ICAL.Component): string[] {
  return event.getAllProperties().map((property) => property.name)
}
