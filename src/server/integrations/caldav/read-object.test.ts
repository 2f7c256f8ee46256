import { expect, test } from 'vitest'
import { readObject } from './read-object.ts'

const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2029-01-01T00:00:00Z') }

test('the UIDs of one object are told apart, and one with more than a few takes all the time', () => {
  expect(read(3)).toEqual([
    { startMs: Date.parse('2027-02-01T09:00:00Z'), endMs: Date.parse('2027-02-01T10:00:00Z') },
    { startMs: Date.parse('2027-02-01T10:00:00Z'), endMs: Date.parse('2027-02-01T11:00:00Z') },
    { startMs: Date.parse('2027-02-01T11:00:00Z'), endMs: Date.parse('2027-02-01T12:00:00Z') },
  ])
  expect(read(11)).toEqual([WINDOW])
})

/** The times of an object with events of so many UIDs, one an hour. */
function read(uids: number) {
  const events = Array.from({ length: uids }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:${index}`, `DTSTART:20270201T${String(9 + index).padStart(2, '0')}0000Z`],
    ...['DURATION:PT1H', 'END:VEVENT'],
  ])
  const { event } = readObject(
    {
      url: 'https://dav.example/calendar/one.ics',
      etag: '"1"',
      text: ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'),
    },
    { timeZones: ['UTC'], window: WINDOW, ownerAddresses: new Set(), ownUidHost: 'meridian.example' },
  )
  const occurrences = event?.occurrences ?? []
  expect(new Set(occurrences.map(({ key }) => key)).size).toBe(occurrences.length)
  return occurrences.map(({ startMs, endMs }) => ({ startMs, endMs }))
}
