import { describe, expect, test } from 'vitest'
import { type ObjectReadSettings, toCalendarObjectChange } from './read-object.ts'

const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2029-01-01T00:00:00Z') }
const SETTINGS: ObjectReadSettings = {
  timeZones: ['UTC'],
  window: WINDOW,
  ownerAddresses: new Set(),
  ownUidHost: 'meridian.example',
}

test('the UIDs of one object are told apart, and one with more than a few takes all the time', () => {
  expect(read(3)).toEqual([
    { startMs: Date.parse('2027-02-01T09:00:00Z'), endMs: Date.parse('2027-02-01T10:00:00Z') },
    { startMs: Date.parse('2027-02-01T10:00:00Z'), endMs: Date.parse('2027-02-01T11:00:00Z') },
    { startMs: Date.parse('2027-02-01T11:00:00Z'), endMs: Date.parse('2027-02-01T12:00:00Z') },
  ])
  expect(read(11)).toEqual([WINDOW])
})

const APPOINTMENT = '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70'
const SECRET = '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f'
const OURS = [`X-MERIDIAN-APPOINTMENT:${APPOINTMENT}.${SECRET}`]
const STRANGER = 'ORGANIZER:mailto:eve@example.org'

describe('an event with our property (rule G27)', () => {
  test('is ours when nobody or the owner organizes it', () => {
    const ours = { appointmentId: APPOINTMENT, secret: SECRET, isInvitation: false }
    expect(readOne(OURS)).toMatchObject(ours)
    expect(readOne([...OURS, 'ORGANIZER;CN=Ada:MAILTO:Ada@Example.com'])).toMatchObject(ours)
    expect(readOne([...OURS, 'ORGANIZER;EMAIL=ada@example.com:/principals/17/'])).toMatchObject(ours)
    expect(readOne([...OURS, 'STATUS:CANCELLED'])).toBeNull()
  })

  test.each([
    ['that a stranger organizes', [...OURS, STRANGER], []],
    [
      'whose stranger names the owner beside their address',
      [...OURS, 'ORGANIZER;EMAIL=ada@example.com:mailto:eve@example.org'],
      [],
    ],
    ['whose organizer has no address', [...OURS, 'ORGANIZER:/principals/18/'], []],
    ['that is an invitation', OURS, ['METHOD:REQUEST']],
    ['that is a cancellation', [...OURS, 'STATUS:CANCELLED'], ['METHOD:CANCEL']],
    ['that a stranger cancelled', [...OURS, STRANGER, 'STATUS:CANCELLED'], []],
  ])('is not ours in an object %s', (_case, lines, about) => {
    expect(readOne(lines, about)).toMatchObject({ secret: null, isInvitation: true })
  })

  test.each([
    ['free', ['TRANSP:TRANSPARENT']],
    ['declined', ['ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.com']],
    ['of an earlier version', []],
  ])('has no secret when it is %s', (_case, lines) => {
    const property = lines.length === 0 ? [`X-MERIDIAN-APPOINTMENT:${APPOINTMENT}`] : OURS
    expect(readOne([...property, ...lines])).toMatchObject({ appointmentId: APPOINTMENT, secret: null })
  })

  test('of a stranger takes time as any other event', () => {
    expect(readOne([...OURS, STRANGER])?.occurrences).toHaveLength(1)
    expect(readOne([...OURS, STRANGER, 'TRANSP:TRANSPARENT'])?.occurrences).toEqual([])
    expect(readOne([...OURS, STRANGER, 'STATUS:CANCELLED'])?.occurrences).toEqual([])
  })

  test('in a published file is the event that was published', () => {
    expect(readOne(OURS, ['METHOD:PUBLISH'])).toMatchObject({ secret: SECRET, isInvitation: false })
  })
})

test('an object of which a part cannot be read says which part (rule G30)', () => {
  const partOf = (...lines: string[]) => {
    const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT', 'END:VCALENDAR', '']
    return readText(text.join('\r\n'))?.unreadable
  }
  expect(partOf('DTSTART:20270201T090000Z', 'DURATION:PT1H')).toBeNull()
  expect(partOf('DTSTART:soon', 'SUMMARY:Dentist')).toBe('date')
  expect(partOf('DTSTART:soon', 'SUMMARY:Dentist', 'TRANSP:TRANSPARENT')).toBeNull()
  expect(partOf('DTSTART:20270201T090000Z', 'DTEND:late')).toBe('times')
  expect(partOf('DTSTART:20270201T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES')).toBe('times')
  expect(partOf('DTSTART:20270201T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY', 'EXDATE:x')).toBe('times')
  expect(partOf('DTSTART;TZID=Nowhere:20270201T090000', 'DURATION:PT1H')).toBe('zone')
  expect(partOf('DTSTART;TZID=Nowhere:20270201T090000', 'DTEND:late')).toBe('times')
  expect(partOf('DTSTART:20270201T090000Z', 'DTEND;TZID=(UTC+03:00) Nowhere:20270201T190000')).toBe('zone')
  // The event was long ago, so it can be ignored.
  expect(partOf('DTSTART:20170201T090000Z', 'DTEND:late')).toBeNull()
  expect(readText('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Cut')?.unreadable).toBe('date')
})

function readText(text: string) {
  return toCalendarObjectChange({ url: 'https://dav.example/calendar/one.ics', etag: '"1"', text }, SETTINGS)
    .event
}

/** Reads an object with one event in Ada's calendar. */
function readOne(lines: readonly string[], about: readonly string[] = []) {
  const event = [
    ...['BEGIN:VEVENT', `UID:${APPOINTMENT}@meridian.example`, 'DTSTART:20270201T090000Z', 'DURATION:PT1H'],
    ...[...lines, 'END:VEVENT'],
  ]
  const text = ['BEGIN:VCALENDAR', ...about, ...event, 'END:VCALENDAR', ''].join('\r\n')
  const settings = { ...SETTINGS, ownerAddresses: new Set(['ada@example.com']) }
  return toCalendarObjectChange({ url: 'https://dav.example/calendar/one.ics', etag: '"1"', text }, settings)
    .event
}

/** Returns the times of an object with events of this many UIDs, one per hour. */
function read(uids: number) {
  const events = Array.from({ length: uids }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:${index}`, `DTSTART:20270201T${String(9 + index).padStart(2, '0')}0000Z`],
    ...['DURATION:PT1H', 'END:VEVENT'],
  ])
  const { event } = toCalendarObjectChange(
    {
      url: 'https://dav.example/calendar/one.ics',
      etag: '"1"',
      text: ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'),
    },
    SETTINGS,
  )
  const occurrences = event?.occurrences ?? []
  expect(new Set(occurrences.map(({ key }) => key)).size).toBe(occurrences.length)
  return occurrences.map(({ startMs, endMs }) => ({ startMs, endMs }))
}
