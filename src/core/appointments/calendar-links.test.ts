import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { addNameToTitle, buildCalendarLinks, type CalendarEntry } from './calendar-links.ts'

const ENTRY: CalendarEntry = {
  title: 'First consultation · Dr. Grey',
  startsMs: Date.parse('2026-12-01T09:30:00.000Z'),
  endsMs: Date.parse('2026-12-01T10:00:00Z'),
  location: 'Harley Street Practice, 12 Harley Street',
  details: 'Booking reference: BK-1\n\nMove or cancel: https://book.example/manage/t#email=x',
}

test('the link to Google names the instants in UTC, the title, the location and the details', () => {
  expect(buildCalendarLinks(ENTRY).google).toBe(
    'https://calendar.google.com/calendar/render?action=TEMPLATE' +
      '&text=First%20consultation%20%C2%B7%20Dr.%20Grey' +
      '&dates=20261201T093000Z%2F20261201T100000Z' +
      '&location=Harley%20Street%20Practice%2C%2012%20Harley%20Street' +
      '&details=Booking%20reference%3A%20BK-1%0A%0AMove%20or%20cancel%3A%20https%3A%2F%2Fbook.example%2Fmanage%2Ft%23email%3Dx',
  )
})

test('the link to Outlook says the same in its own parameters', () => {
  const outlook = new URL(buildCalendarLinks(ENTRY).outlook)
  expect(`${outlook.origin}${outlook.pathname}`).toBe('https://outlook.live.com/calendar/deeplink/compose')
  expect(Object.fromEntries(outlook.searchParams)).toEqual({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: ENTRY.title,
    startdt: '2026-12-01T09:30:00Z',
    enddt: '2026-12-01T10:00:00Z',
    location: ENTRY.location,
    body: ENTRY.details,
  })
  expect(outlook.search).not.toContain('+')
})

describe('the instants are right', () => {
  test.each([
    [
      'in the hour that a clock repeats in autumn, first time',
      '2026-10-25T01:30:00+01:00',
      '20261025T003000Z',
    ],
    [
      'in the hour that a clock repeats in autumn, second time',
      '2026-10-25T01:30:00+00:00',
      '20261025T013000Z',
    ],
    ['across the hour that a clock skips in spring', '2027-03-28T02:30:00+01:00', '20270328T013000Z'],
    ['in a zone with a quarter of an hour', '2026-12-01T15:15:00+05:45', '20261201T093000Z'],
    ['in a zone whose date is another one', '2026-12-02T09:30:00+13:00', '20261201T203000Z'],
  ])('%s', (_when, startsAt, utc) => {
    const { google, outlook } = buildCalendarLinks({ ...ENTRY, startsMs: Date.parse(startsAt) })
    expect(new URL(google).searchParams.get('dates')).toBe(`${utc}/20261201T100000Z`)
    const startdt = new URL(outlook).searchParams.get('startdt') ?? ''
    expect(startdt.replaceAll(/[-:]/g, '')).toBe(utc)
  })
})

test('an appointment without a location has none in the links', () => {
  const { google, outlook } = buildCalendarLinks({ ...ENTRY, location: null })
  expect(google).not.toContain('location')
  expect(outlook).not.toContain('location')
})

test('whatever was typed, the links stay short, keep their parameters and lead to the providers', () => {
  const typed = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(typed, typed, typed, (title, location, details) => {
      const { google, outlook } = buildCalendarLinks({ ...ENTRY, title, location, details })
      for (const [link, names] of [
        [google, ['action', 'text', 'dates', 'location', 'details']],
        [outlook, ['path', 'rru', 'subject', 'startdt', 'enddt', 'location', 'body']],
      ] as const) {
        expect(link.length).toBeLessThan(2_000)
        expect(link).toMatch(/^[\w.:/?&=%!~*'()-]+$/)
        const url = new URL(link)
        expect([url.host, url.hash]).toEqual([
          link === google ? 'calendar.google.com' : 'outlook.live.com',
          '',
        ])
        expect([...names]).toEqual(expect.arrayContaining([...url.searchParams.keys()]))
        expect(new Set(url.searchParams.keys()).size).toBe([...url.searchParams.keys()].length)
      }
      const shown = new URL(google).searchParams.get('text') ?? ''
      expect(title.toWellFormed().startsWith(shown)).toBe(true)
    }),
  )
})

test('a text of letters that take many bytes is cut between two of them', () => {
  const { google } = buildCalendarLinks({ ...ENTRY, title: '🧑'.repeat(300) })
  expect(new URL(google).searchParams.get('text')).toMatch(/^(🧑){37}$/u)
})

test('a title gets the name of the other person, unless it contains the name already', () => {
  expect(addNameToTitle('Consultation', 'Maya Grey')).toBe('Consultation · Maya Grey')
  expect(addNameToTitle('Session with Maya Grey', 'Maya Grey')).toBe('Session with Maya Grey')
  expect(addNameToTitle('', 'Maya Grey')).toBe('Maya Grey')
})
