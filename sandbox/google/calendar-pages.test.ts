import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { CalendarSandboxWithAdapter } from '#tests/support/calendar-stand-in.ts'
import { startGoogleSandboxWithAdapter } from '#tests/support/google-stand-in.ts'
import { postForm } from '#tests/support/post-form.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

const EMAIL = 'grace@gmail.example'
const EVENTS = `/${encodeURIComponent(EMAIL)}/events`

let database: Database
let google: CalendarSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  google = await startGoogleSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await google.stop()
  await database.close()
})

/** Fetches a page, following redirects, and returns its text. */
async function show(path: string): Promise<string> {
  const answer = await fetch(`${google.sandbox.settings.sandboxUrl}${path}`)
  const page = await answer.text()
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}
const showWeek = (week: string) => show(`/calendar/${encodeURIComponent(EMAIL)}?week=${week}`)

test('opens a calendar without an account of the product', async () => {
  expect(await show('/calendar')).toContain('Email address of a new Google account')
  const { sandboxUrl } = google.sandbox.settings
  await postForm(`${sandboxUrl}/calendar`, { email: EMAIL })
  await google.press(EMAIL, `/${encodeURIComponent(EMAIL)}`, { action: 'zone', time_zone: 'Europe/Berlin' })
  const page = await show('/calendar')
  expect(page).toContain('Times in Europe/Berlin')
  expect(page).toContain('No events in this week.')
  expect(page).toContain('Sandbox: nobody’s real calendar is touched')
})

test('adds, moves and deletes an event, and escapes its title', async () => {
  const added = await google.press(EMAIL, EVENTS, {
    title: '<b>Dinner</b>',
    start: '2027-03-02T18:00',
    end: '2027-03-02T20:30',
  })
  const week = await (
    await fetch(new URL(added.headers.get('location') ?? '', google.sandbox.settings.sandboxUrl))
  ).text()
  expect(week).toContain('&lt;b&gt;Dinner&lt;/b&gt;')
  expect(week).toContain('Tue, March 2, 2027, 18:00 to 20:30')
  const [, path = ''] = /action="([^"]+\/events\/[^"]+)"/.exec(week.replaceAll('&amp;', '&')) ?? []
  const address = `${google.sandbox.settings.sandboxUrl}${path}`
  await postForm(address, { action: 'move', start: '2027-03-10T09:00', end: '2027-03-10T09:00' })
  expect(await showWeek('2027-03-02')).toContain('No events in this week.')
  expect(await showWeek('2027-03-12')).toContain('Wed, March 10, 2027, 09:00 to 09:00')
  await postForm(address, { action: 'delete' })
  expect(await showWeek('2027-03-12')).toContain('No events in this week.')
})

test('shows the last day of an all-day event', async () => {
  await google.press(EMAIL, EVENTS, {
    title: 'Holiday',
    start: '2027-04-05T09:00',
    end: '2027-04-07T09:00',
    all_day: 'on',
    kind: 'outOfOffice',
  })
  const page = await showWeek('2027-04-05')
  expect(page).toContain('Mon, April 5, 2027 to Wed, April 7, 2027, all day')
  expect(page).toContain('Out of office, busy')
  await google.press(EMAIL, `/${encodeURIComponent(EMAIL)}`, { action: 'empty' })
  expect(await showWeek('2027-04-05')).toContain('No events in this week.')
})

test.each([
  [EVENTS, { start: '2027-13-02T18:00', end: '2027-03-02T18:00' }, 'Please give a start and an end.'],
  [
    `/${encodeURIComponent(EMAIL)}`,
    { action: 'zone', time_zone: 'Mars/Olympus' },
    'There is no such time zone.',
  ],
])('%s with invalid values is refused with a message', async (path, fields, sentence) => {
  const answer = await google.press(EMAIL, path, fields)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(sentence)
})

test('a failure stays switched on until it is switched off', async () => {
  await google.press(EMAIL, '/faults', { rate_limit: '403', small_pages: 'on', delay_seconds: '0' })
  const page = await (await fetch(`${google.sandbox.settings.sandboxUrl}/calendar`)).text()
  expect(page).toContain('<option value="403" selected>')
  expect(page).toContain('name="small_pages" checked')
  await google.press(EMAIL, '/faults', { rate_limit: 'off' })
  expect(await (await fetch(`${google.sandbox.settings.sandboxUrl}/calendar`)).text()).not.toContain(
    ' checked',
  )
})

test('an unknown account has no calendar', async () => {
  const answer = await fetch(`${google.sandbox.settings.sandboxUrl}/calendar/nobody%40gmail.example`)
  expect(answer.status).toBe(404)
})
