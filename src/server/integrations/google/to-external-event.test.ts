import { describe, expect, test } from 'vitest'
import { toExternalChange } from './to-external-event.ts'

/** The window is the year 2027 in Berlin. */
const FRAME = {
  timeZone: 'Europe/Berlin',
  window: { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2028-01-01T00:00:00Z') },
}
const APPOINTMENT = '0b5e6f6e-3a0c-4b7a-9d5e-2f3c4d5e6f70'
const OUR_ID = `mrd${APPOINTMENT.replaceAll('-', '')}`
const TIMES = {
  start: { dateTime: '2027-05-03T09:00:00+02:00' },
  end: { dateTime: '2027-05-03T10:00:00+02:00' },
}

/** Lists the times of an event, as `start end`. */
function timesOf(sent: object, frame = FRAME): string[] {
  const change = toExternalChange({ id: 'abc', status: 'confirmed', ...sent }, frame)
  return (change?.event?.occurrences ?? []).map(
    ({ startMs, endMs }) => `${new Date(startMs).toISOString()} ${new Date(endMs).toISOString()}`,
  )
}

test('an event without a readable time says so, and a series as a whole does not (rule G30)', () => {
  const partOf = (sent: object) =>
    toExternalChange({ id: 'abc', status: 'confirmed', ...sent }, FRAME)?.event?.unreadable
  expect(partOf(TIMES)).toBeNull()
  expect(partOf({ ...TIMES, start: { dateTime: 'soon' } })).toBe('date')
  expect(partOf({ ...TIMES, end: null })).toBe('date')
  expect(partOf({ recurrence: ['RRULE:FREQ=WEEKLY'] })).toBeNull()
  expect(partOf({ transparency: 'transparent' })).toBeNull()
})

test('a series as a whole has no single time, and is none of its occurrences', () => {
  const series = { ...TIMES, id: OUR_ID, recurrence: ['RRULE:FREQ=WEEKLY'] }
  expect(toExternalChange(series, FRAME)?.event).toMatchObject({
    appointmentId: APPOINTMENT,
    occurrences: [],
  })
  expect(timesOf({ ...TIMES, recurrence: [] })).toHaveLength(1)
})

describe('an event with a date only (venndra#51, cal#6292, cal#8754, tb#661, cal#2236)', () => {
  test('lasts from midnight to midnight in the zone of the calendar, and its end does not belong to it', () => {
    expect(timesOf({ start: { date: '2027-05-03' }, end: { date: '2027-05-05' } })).toEqual([
      '2027-05-02T22:00:00.000Z 2027-05-04T22:00:00.000Z',
    ])
  })

  test('has 23 hours on the day on which the clocks go forward', () => {
    expect(timesOf({ start: { date: '2027-03-28' }, end: { date: '2027-03-29' } })).toEqual([
      '2027-03-27T23:00:00.000Z 2027-03-28T22:00:00.000Z',
    ])
  })

  test('is free when it is shown as free', () => {
    const allDay = { start: { date: '2027-05-03' }, end: { date: '2027-05-04' } }
    expect(timesOf({ ...allDay, transparency: 'transparent' })).toEqual([])
  })

  test('says that it is all-day', () => {
    const change = toExternalChange(
      { id: 'a', start: { date: '2027-05-03' }, end: { date: '2027-05-04' } },
      FRAME,
    )
    expect(change?.event?.occurrences).toMatchObject([{ isAllDay: true, key: '' }])
  })
})

test.each([
  ['free', { transparency: 'transparent' }],
  ['a working location', { eventType: 'workingLocation' }],
  ['a birthday', { eventType: 'birthday' }],
  ['declined by the owner', { attendees: [{ self: true, responseStatus: 'declined' }] }],
  ['without length', { end: TIMES.start }],
  ['before it begins', { end: { dateTime: '2027-05-03T08:00:00+02:00' } }],
  [
    'outside the window',
    { start: { dateTime: '2026-05-03T09:00:00Z' }, end: { dateTime: '2026-05-03T10:00:00Z' } },
  ],
])('an event that is %s is not busy', (_what, difference) => {
  expect(timesOf({ ...TIMES, ...difference })).toEqual([])
})

test.each([
  ['out of office', { eventType: 'outOfOffice' }],
  ['focus time', { eventType: 'focusTime' }],
  ['tentative', { status: 'tentative' }],
  ['of a kind that nobody knows', { eventType: 'fromGmail' }],
  [
    'declined by somebody else',
    { attendees: [{ responseStatus: 'declined' }, { self: true, responseStatus: 'accepted' }] },
  ],
])('an event that is %s is busy', (_what, difference) => {
  expect(timesOf({ ...TIMES, ...difference })).toEqual(['2027-05-03T07:00:00.000Z 2027-05-03T08:00:00.000Z'])
})

test('an event of three weeks is busy for three weeks', () => {
  const end = { dateTime: '2027-05-24T09:00:00+02:00' }
  expect(timesOf({ ...TIMES, end })).toEqual(['2027-05-03T07:00:00.000Z 2027-05-24T07:00:00.000Z'])
})

test('an event that began before the window is busy from when it began', () => {
  const start = { dateTime: '2026-12-31T09:00:00Z' }
  expect(timesOf({ start, end: { dateTime: '2027-01-02T09:00:00Z' } })).toHaveLength(1)
})

describe('a time zone that does not exist', () => {
  test('changes nothing about a time that has its offset', () => {
    const start = { ...TIMES.start, timeZone: 'Mars/Olympus' }
    expect(timesOf({ start, end: TIMES.end })).toEqual(['2027-05-03T07:00:00.000Z 2027-05-03T08:00:00.000Z'])
  })

  test('of a time without an offset is the zone of the calendar', () => {
    const at = (clock: string, timeZone: string) => ({ dateTime: `2027-05-03T${clock}`, timeZone })
    const read = (timeZone: string) =>
      timesOf({ start: at('09:00:00', timeZone), end: at('10:00:00', timeZone) })
    expect(read('Mars/Olympus')).toEqual(['2027-05-03T07:00:00.000Z 2027-05-03T08:00:00.000Z'])
    expect(read('America/New_York')).toEqual(['2027-05-03T13:00:00.000Z 2027-05-03T14:00:00.000Z'])
  })
})

test('a cancelled exception with only an id is gone', () => {
  const sent = {
    id: 'series_20270503T070000Z',
    status: 'cancelled',
    recurringEventId: 'series',
    originalStartTime: TIMES.start,
  }
  expect(toExternalChange(sent, FRAME)).toEqual({ eventId: 'series_20270503T070000Z', event: null })
})

describe('one odd event does not end the reading', () => {
  test.each([
    ['without times', {}],
    ['whose times are null', { start: null, end: null }],
    ['whose times are no times', { start: { dateTime: 'soon' }, end: { dateTime: 'later' } }],
    ['whose date does not exist', { start: { date: '2027-02-30' }, end: { date: '2027-02-31' } }],
    ['of the year 9999', { start: { date: '9999-01-01' }, end: { date: '9999-01-02' } }],
    [
      'whose fields are of other kinds',
      { summary: 7, start: 'now', attendees: 'all', extendedProperties: [] },
    ],
  ])('%s', (_what, sent) => {
    expect(toExternalChange({ id: 'odd', ...sent }, FRAME)).toMatchObject({
      eventId: 'odd',
      event: { title: null, occurrences: [], appointmentId: null },
    })
  })

  test.each([[null], ['text'], [{}], [{ id: '' }]])('%j is no event', (sent) => {
    expect(toExternalChange(sent, FRAME)).toBeNull()
  })

  test('a title keeps what the database can keep', () => {
    const titleOf = (summary: string) => toExternalChange({ id: 'a', summary }, FRAME)?.event?.title
    expect(titleOf(' Din\u0000ner \ud800 ')).toBe('Dinner \ufffd')
    expect(titleOf('x'.repeat(2_000))).toHaveLength(500)
    expect(titleOf('  ')).toBeNull()
  })
})

describe('an event of ours', () => {
  test('is recognised by its id', () => {
    expect(toExternalChange({ id: OUR_ID, ...TIMES }, FRAME)?.event).toMatchObject({
      appointmentId: APPOINTMENT,
    })
  })

  test('is recognised by a private property when it has another id', () => {
    const extendedProperties = { private: { meridianAppointment: APPOINTMENT } }
    const change = toExternalChange({ id: 'copy', ...TIMES, extendedProperties }, FRAME)
    expect(change?.event).toMatchObject({ eventId: 'copy', appointmentId: APPOINTMENT })
  })

  test('keeps its time when its owner shows it as free', () => {
    expect(timesOf({ id: OUR_ID, ...TIMES, transparency: 'transparent' })).toHaveLength(1)
  })

  const SECRET = '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f'
  const SEALED = {
    ...TIMES,
    organizer: { email: 'ada@example.com', self: true },
    extendedProperties: { private: { meridianAppointment: `${APPOINTMENT}.${SECRET}` } },
  }
  const read = (sent: object) => toExternalChange({ id: 'any', ...sent }, FRAME)?.event

  test('has its secret in the private property, and the id that contains the secret names its appointment', () => {
    const id = `${OUR_ID}${SECRET.replaceAll('-', '')}`
    const expected = { appointmentId: APPOINTMENT, secret: SECRET, isInvitation: false }
    expect(read(SEALED)).toMatchObject(expected)
    expect(read({ ...TIMES, id })).toMatchObject({ ...expected, secret: null })
  })

  test.each([
    ['that somebody else organizes', { organizer: { email: 'eve@example.com' } }, true],
    ['whose organizer Google does not name', { organizer: undefined }, false],
    ['that was declined', { attendees: [{ self: true, responseStatus: 'declined' }] }, false],
    ['that is free', { transparency: 'transparent' }, false],
    [
      'that only names an appointment',
      { extendedProperties: { private: { meridianAppointment: APPOINTMENT } } },
      false,
    ],
  ])('is never one %s (rule G27)', (_case, difference, isInvitation) => {
    expect(read({ ...SEALED, ...difference })).toMatchObject({ secret: null, isInvitation })
  })

  test('organized by somebody else takes time as any other event', () => {
    const organizer = { email: 'eve@example.com' }
    expect(timesOf({ ...SEALED, organizer })).toHaveLength(1)
    expect(timesOf({ ...SEALED, organizer, transparency: 'transparent' })).toEqual([])
    expect(read({ ...SEALED, organizer, status: 'cancelled' })).toBeNull()
  })

  test.each([['mrd123'], [`mrd${'z'.repeat(32)}`], [`x${OUR_ID}`]])('is not %s', (id) => {
    expect(toExternalChange({ id, ...TIMES }, FRAME)?.event?.appointmentId).toBeNull()
  })
})
