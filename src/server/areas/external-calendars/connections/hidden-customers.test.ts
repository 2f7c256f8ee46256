import { expect, test } from 'vitest'
import type { ExternalCalendarSettings } from '#contract/external-calendars/external-calendars.ts'
import {
  makeConnectedOwner,
  readExternalCalendars,
  returnFromProvider,
  startConnecting,
} from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'

setUpOwner({
  calendarProviders: { google: makeFakeCalendarProvider() },
  env: { DEFAULT_PLAN: 'enterprise' },
  hasWorkers: false,
})

test.each([
  ['Doctor', true],
  ['Therapist', true],
  ['Lawyer', true],
  ['Zahnärztin', true],
  ['Coach', false],
  [undefined, false],
])('a new calendar of the category %j hides its customers: %j', async (category, isHidden) => {
  const calendar = await makeCalendar(meridian, owner, { category })
  expect((await settingsOf(calendar.id)).hide_customer).toBe(isHidden)
})

test('another setting leaves customers hidden, and an owner can show them', async () => {
  const { id } = await makeCalendar(meridian, owner, { category: 'Doctor' })
  await change(id, { two_way_sync: false })
  expect(await settingsOf(id)).toMatchObject({ two_way_sync: false, hide_customer: true })
  await change(id, { hide_customer: false })
  expect((await settingsOf(id)).hide_customer).toBe(false)
})

test('changing the category of a calendar that writes events keeps its setting', async () => {
  const doctors = await makeCalendar(meridian, owner, { category: 'Doctor' })
  const url = await startConnecting(meridian, { owner, calendarId: doctors.id }, { access: 'write' })
  await returnFromProvider(meridian, owner.cookie, {
    state: url.searchParams.get('state') ?? '',
    code: 'joan',
  })
  await setCategory(doctors.id, 'Coach')
  expect((await settingsOf(doctors.id)).hide_customer).toBe(true)
  const connected = await makeConnectedOwner(meridian, 'alan', { owner, access: 'write' })
  await setCategory(connected.calendarId, 'Doctor')
  expect((await settingsOf(connected.calendarId)).hide_customer).toBe(false)
})

test('the feed of a lawyer’s calendar names no customer', async () => {
  const { id, slug } = await makeCalendar(meridian, owner, { category: 'Lawyer' })
  expect((await bookAppointment(meridian, slug)).statusCode).toBe(201)
  const made = await owner.post(`/api/calendars/${id}/feed`, {})
  const feed = await meridian.get(new URL(made.json().url).pathname)
  expect(feed.body).toContain('SUMMARY:Booked')
  expect(feed.body).not.toMatch(/Grace|grace@/)
})

async function settingsOf(calendarId: string): Promise<ExternalCalendarSettings> {
  return (await readExternalCalendars(meridian, { owner, calendarId })).settings
}

async function change(calendarId: string, payload: Partial<ExternalCalendarSettings>): Promise<void> {
  const url = `/api/calendars/${calendarId}/external-calendars/settings`
  const answer = await owner.patch(url, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function setCategory(id: string, category: string): Promise<void> {
  await meridian.database.db.updateTable('calendars').set({ category }).where('id', '=', id).execute()
}
