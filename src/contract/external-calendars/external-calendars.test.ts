import { expect, test } from 'vitest'
import { connectCaldavBody, connectIcsBody } from './external-calendars.ts'

const caldav = (url: string) => connectCaldavBody.safeParse({ url, username: 'ada', password: 'secret' })
const ics = (url: string) => connectIcsBody.safeParse({ url })

test.each([
  'https://caldav.fastmail.com',
  'caldav.icloud.com',
  'dav.example.org:8443/calendars/',
  'caldavs://dav.example.org',
  'http://192.168.0.7:5232/ada/',
  ' https://dav.example.org ',
])('a calendar server can be at %s', (url) => {
  expect(caldav(url).success).toBe(true)
})

test.each([
  'https://example.com/a.ics',
  'webcal://example.com/a.ics',
  'WEBCALS://example.com/a',
  ' https://example.com/a.ics ',
])('a calendar file can be at %s', (url) => {
  expect(ics(url).success).toBe(true)
})

test.each([
  '',
  'my calendar',
  'ftp://example.com/a.ics',
  'file:///etc/passwd',
  'https://',
  'javascript:alert(1)',
])('%o is no address of either', (url) => {
  for (const { error } of [caldav(url), ics(url)]) {
    expect(error?.issues.map(({ message }) => message)).toContain('external_calendar.address_invalid')
  }
})

test('the URL of a calendar file must be complete', () => {
  expect(ics('example.com/a.ics').success).toBe(false)
})
