import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import {
  addAppointments,
  addAppointmentType,
  addLocation,
  setPrimaryLocation,
} from '#tests/support/stored-rows.ts'

setUpMeridian()

test('the outlook of a calendar and the use of a type and of a place count the same future appointments', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const location_id = await addLocation(meridian, owner)
  await setPrimaryLocation(meridian, calendar.id, location_id)
  const appointment_type_id = await addAppointmentType(meridian, calendar.id)
  const at = (startsAt: string) => ({ startsAt, location_id, appointment_type_id })
  const hold_expires_at = new Date(meridian.clock.ms + 60_000)
  const underWay = new Date(meridian.clock.ms - 60_000).toISOString()
  await addAppointments(meridian, calendar.id, [
    at('2027-01-05T09:00:00Z'),
    { ...at('2027-01-05T10:00:00Z'), status: 'pending_cancellation' },
    // This is the state after the owner's action 'Mark as Pending'.
    { ...at('2027-01-05T11:00:00Z'), status: 'pending_payment', payment_status: 'pending' },
    { ...at('2027-01-05T12:00:00Z'), status: 'pending_payment', payment_status: 'pending', hold_expires_at },
    {
      ...at('2027-01-05T13:00:00Z'),
      status: 'pending_payment',
      hold_expires_at,
      released_at: hold_expires_at,
    },
    { ...at('2027-01-05T14:00:00Z'), status: 'cancelled' },
    at(underWay),
    { startsAt: '2027-01-05T15:00:00Z', location_id: randomUUID(), appointment_type_id: randomUUID() },
  ])
  const get = async (path: string) => (await owner.get(`/api/${path}`)).json()
  const path = `calendars/${calendar.id}`
  expect(await get(`${path}/outlook`)).toMatchObject({ future_appointments: 4 })
  expect(await get(`${path}/appointment-types/${appointment_type_id}/usage`)).toEqual({
    future_appointments: 3,
  })
  expect(await get(`locations/${location_id}/usage`)).toMatchObject({
    calendars: [{ future_appointments: 3 }],
  })
})
