import { expect, test } from 'vitest'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { addAppointmentType, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

setUpCalendar({ calendar: 'file' })

test('deleting a place and a type writes none of the 1,000 appointments that were booked there', async () => {
  const place = await addLocation(meridian, owner)
  await setPrimaryLocation(meridian, calendar.id, place)
  const type = await addAppointmentType(meridian, calendar.id, { location_id: place })
  await addManyAppointments(meridian.database, calendar.id, 1_000)
  await meridian.database.execute(
    `update appointments set location_id = $2, location_name = 'Room', conflict_location_id = $2,
       appointment_type_id = $3, appointment_type_name = 'Talk' where calendar_id = $1`,
    [calendar.id, place, type],
  )
  const before = await versions(place, type)
  expect(before).toMatchObject({ appointments: 1_000 })
  await remove(`/api/locations/${place}`)
  await remove(`/api/calendars/${calendar.id}/appointment-types/${type}`)
  expect(await versions(place, type)).toEqual(before)
})

/** Returns how many appointments refer to the location and the type, and which transactions last wrote them. */
async function versions(place: string, type: string) {
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as appointments, array_agg(distinct xmin::text) as written_by from appointments
     where location_id = $1 and appointment_type_id = $2`,
    [place, type],
  )
  return rows[0]
}

async function remove(url: string): Promise<void> {
  const answer = await owner.delete(url)
  expect(answer.statusCode, answer.body).toBe(204)
}
