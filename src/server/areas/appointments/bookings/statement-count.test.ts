import pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { addExternalCalendar } from '#tests/support/external-calendar-rows.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

let typeId: string

setUpCalendar({ hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  await setPrimaryLocation(meridian, calendar.id, await addLocation(meridian, owner))
  typeId = await addAppointmentType(meridian, calendar.id)
})

/**
 * Each statement is a round trip to the database, and most of them run while the booking holds its locks. So their
 * number limits how many bookings per second are possible (bench/bookings.ts). A plain booking must not cost more
 * because of features that few calendars use. The bounds leave room for one more statement. Adding a second one needs a
 * reason.
 */
test('a booking at a location of its calendar alone takes ten statements at most, begin and commit included', async () => {
  expect(await countStatements()).toBeLessThanOrEqual(10)
})

test('a calendar that reads an external one takes six more at most: the question about it, and a transaction before', async () => {
  const plain = await countStatements()
  await addExternalCalendar(meridian, owner, calendar.id)
  expect(await countStatements('2027-01-04T10:00:00Z')).toBeLessThanOrEqual(plain + 6)
})

/** Counts the statements that a booking sends. */
async function countStatements(startsAt = '2027-01-04T09:00:00Z'): Promise<number> {
  const submit = vi.spyOn(pg.Query.prototype, 'submit')
  const booked = await bookAppointment(meridian, calendar.slug, {
    appointment_type_id: typeId,
    starts_at: startsAt,
  })
  const sent = submit.mock.calls.length
  submit.mockRestore()
  expect(booked.statusCode, booked.body).toBe(201)
  return sent
}
