import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addExternalCalendar, addExternalEvent } from '#tests/support/external-calendar-rows.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { addAppointment, addLocation } from '#tests/support/stored-rows.ts'
import { findSchedulingTimes, type SchedulingTimes } from './times-repository.ts'

const TUESDAY = { startMs: Date.parse('2027-01-05T00:00:00Z'), endMs: Date.parse('2027-01-06T00:00:00Z') }
const HOUR_MS = 3_600_000

let locationId: string

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })
beforeAll(async () => {
  locationId = await addLocation(meridian, owner)
  const neighbour = await makeCalendar(meridian, owner)
  await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
  await addAppointment(meridian, neighbour.id, {
    startsAt: '2027-01-05T11:00:00Z',
    conflict_location_id: locationId,
  })
  const dates = { calendar_id: calendar.id, first_date: '2027-01-05', last_date: '2027-01-05' }
  await meridian.database.db
    .insertInto('special_days')
    .values({ ...dates, id: randomUUID() })
    .execute()
})

test('a calendar without external calendars has the same times whether or not they are left out', async () => {
  const times = await ask({ isAlone: true })
  expect(times).toMatchObject({
    busy: [{ startMs: TUESDAY.startMs + 9 * HOUR_MS }],
    locationBusy: [{ startMs: TUESDAY.startMs + 11 * HOUR_MS }],
    isUnchecked: false,
  })
  expect(times.openings).not.toEqual([])
  expect(times.specialDays).toHaveLength(1)
  expect(await ask({ isAlone: false })).toEqual(times)
})

test('external calendars are asked about unless they are left out', async () => {
  const { id } = await addExternalCalendar(meridian, owner, calendar.id)
  await addExternalEvent(meridian, id, { startsAt: '2027-01-05T14:00:00Z', endsAt: '2027-01-05T15:00:00Z' })
  const busyOf = async (how: Parameters<typeof ask>[0]) => (await ask(how)).busy.length
  expect(await busyOf({})).toBe(2)
  expect(await busyOf({ isAlone: false })).toBe(2)
  expect(await busyOf({ isAlone: true })).toBe(1)
})

function ask(how: { readonly isAlone?: boolean }): Promise<SchedulingTimes> {
  const place = { calendarId: calendar.id, locationId, typeId: null }
  return findSchedulingTimes(meridian.database.db, {
    ...place,
    during: TUESDAY,
    nowMs: meridian.clock.ms,
    ...how,
  })
}
