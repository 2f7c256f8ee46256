import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { book, makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { addLocation, addType, setPrimaryLocation } from '#tests/support/stored-rows.ts'

let meridian: TestMeridian

beforeAll(async () => {
  meridian = await startMeridian({ hasWorkers: false })
})
afterAll(() => meridian.stop())

/**
 * Each statement is a way to the database and back, and most of them are sent under the locks of what is booked. Their number decides how
 * many bookings a second are possible (bench/bookings.ts). A plain booking must not pay for features that few calendars use.
 */
test('a booking at a location of its calendar alone takes nine statements, begin and commit included', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  await setPrimaryLocation(meridian, calendar.id, await addLocation(meridian, owner))
  const appointment_type_id = await addType(meridian, calendar.id)
  const submit = vi.spyOn(pg.Query.prototype, 'submit')
  const booked = await book(meridian, calendar.slug, { appointment_type_id })
  const sent = submit.mock.calls.length
  submit.mockRestore()
  expect(booked.statusCode, booked.body).toBe(201)
  expect(sent).toBe(9)
})
