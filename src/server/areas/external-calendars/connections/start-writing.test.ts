import { beforeEach, expect, test } from 'vitest'
import { makeConnectedOwner, readExternalCalendars } from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, type TestOwner } from '#tests/support/meridian.ts'

const google = makeFakeCalendarProvider()

setUpMeridian({ calendarProviders: { google } })

let accounts = 0
let owner: TestOwner
/** A calendar of the owner's own time that reads and writes to the main calendar of an account. */
let original: { readonly calendarId: string; readonly externalCalendarId: string }

beforeEach(async () => {
  accounts += 1
  const made = await makeConnectedOwner(meridian, `writer${accounts}`, { access: 'write' })
  owner = made.owner
  original = made
  await meridian.database.execute('update calendars set host_id = user_id where id = $1', [made.calendarId])
})

test('a new calendar of a person writes where their other calendar writes', async () => {
  const { id } = await makeCalendar(meridian, owner, { person_name: '' })
  expect(await listUses(id)).toEqual([{ id: original.externalCalendarId, reads: false, writes: true }])
})

test('a calendar of somebody else writes nowhere', async () => {
  const { id } = await makeCalendar(meridian, owner, { person_name: 'Jon Osei' })
  expect(await listUses(id)).toEqual([])
})

test('of several calendars, the newest one that writes is followed', async () => {
  const { id: silent } = await makeCalendar(meridian, owner, { person_name: '' })
  await owner.put(`/api/calendars/${silent}/external-calendars/choice`, { reads: [], writes: null })
  const { id } = await makeCalendar(meridian, owner, { person_name: '' })
  expect(await listUses(id)).toEqual([{ id: original.externalCalendarId, reads: false, writes: true }])
})

test('a duplicate writes where its original writes, with its settings', async () => {
  const settings = {
    auto_sync: true,
    two_way_sync: false,
    hide_customer: true,
    when_unchecked: 'offer_nothing',
  }
  await owner.patch(`/api/calendars/${original.calendarId}/external-calendars/settings`, settings)
  const id = await duplicate(original.calendarId)
  expect(await listUses(id)).toEqual([{ id: original.externalCalendarId, reads: false, writes: true }])
  expect(await readExternalCalendars(meridian, { owner, calendarId: id })).toMatchObject({ settings })
})

test('a duplicate of a calendar that writes nowhere writes nowhere', async () => {
  const { id: silent } = await makeCalendar(meridian, owner, { person_name: '' })
  await owner.put(`/api/calendars/${silent}/external-calendars/choice`, { reads: [], writes: null })
  expect(await listUses(await duplicate(silent))).toEqual([])
})

test('a new calendar does not write to a disconnected account', async () => {
  await meridian.database.execute(`update calendar_connections set state = 'revoked' where user_id = $1`, [
    owner.id,
  ])
  const { id } = await makeCalendar(meridian, owner, { person_name: '' })
  expect(await listUses(id)).toEqual([])
})

async function duplicate(calendarId: string): Promise<string> {
  const answer = await owner.post(`/api/calendars/${calendarId}/copies`, { name: 'Copy' })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

async function listUses(calendarId: string) {
  const rows = await meridian.database.db
    .selectFrom('used_external_calendars')
    .select(['external_calendar_id as id', 'reads_busy_times as reads', 'writes_events as writes'])
    .where('calendar_id', '=', calendarId)
    .execute()
  return rows
}
