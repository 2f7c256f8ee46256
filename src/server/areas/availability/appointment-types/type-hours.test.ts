import { expect, test } from 'vitest'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

/** A Tuesday, on which the calendar is open from 9:00 to 17:00. */
const TUESDAY = '2027-01-05'
const range = (day_of_week: number, start_time: string, end_time: string) => ({
  day_of_week,
  start_time,
  end_time,
})

test('customers are offered a type inside its own hours, on its own grid, and other types as before', async () => {
  const type = await addType([range(2, '16:10', '24:00'), range(2, '09:15', '10:30')])
  const other = await addType([])
  expect(await timesOf(type.id)).toEqual(['09:15:00', '09:45:00', '16:10:00'])
  expect(await timesOf(other.id)).toHaveLength(16)
  expect(type.hours).toEqual([range(2, '09:15:00', '10:30:00'), range(2, '16:10:00', '24:00:00')])
})

test('a time outside the hours of a type is refused to customers, and told to the owner, who can book it', async () => {
  const type = await addType([range(2, '09:15', '10:30')])
  const time = { starts_at: `${TUESDAY}T11:15:00Z`, appointment_type_id: type.id }
  const booked = await bookAppointment(meridian, calendar.slug, time)
  expectRefusal(booked, 'booking.slot_unavailable')
  const query = new URLSearchParams(time)
  const check = await owner.get(`/api/calendars/${calendar.id}/appointment-time?${query}`)
  expect(check.json().reasons).toEqual(['outside_type_hours'])
  const byOwner = { ...time, customer: { name: 'Ada Lovelace' } }
  const refused = await owner.post(`/api/calendars/${calendar.id}/appointments`, byOwner)
  expectRefusal(refused, 'booking.outside_type_hours')
  const insisted = { ...byOwner, outside_hours: true }
  expect((await owner.post(`/api/calendars/${calendar.id}/appointments`, insisted)).statusCode).toBe(201)
})

test('a change replaces all hours of a type, leaves those of others, and frees the calendar again when there are none', async () => {
  const [type, other] = [
    await addType([range(2, '09:00', '10:00')]),
    await addType([range(2, '09:00', '10:00')]),
  ]
  await changeHours(type.id, [range(2, '12:00', '13:00')])
  expect(await timesOf(type.id)).toEqual(['12:00:00', '12:30:00'])
  expect(await timesOf(other.id)).toEqual(['09:00:00', '09:30:00'])
  await changeHours(type.id, [])
  expect(await timesOf(type.id)).toHaveLength(16)
})

test('another field of a type can change without its hours', async () => {
  const type = await addType([range(2, '09:00', '10:00')])
  await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${type.id}`, { name: 'Evening' })
  expect(await timesOf(type.id)).toEqual(['09:00:00', '09:30:00'])
})

test.each<[string, ProblemCode, ReturnType<typeof range>[]]>([
  ['that overlap', 'availability.overlap', [range(2, '09:00', '11:00'), range(2, '10:00', '12:00')]],
  ['that end before they start', 'availability.start_after_end', [range(2, '11:00', '09:00')]],
  ['that are empty', 'availability.start_after_end', [range(2, '11:00', '11:00')]],
  ['on an eighth weekday', 'request.invalid', [range(7, '09:00', '11:00')]],
  ['that are no clock times', 'request.invalid', [range(1, '25:00', '26:00')]],
  ['of more than 20 ranges on a weekday', 'availability.too_many', manyRanges(21)],
])('hours %s are refused: %s', async (_which, code, hours) => {
  const url = `/api/calendars/${calendar.id}/appointment-types`
  expectRefusal(await owner.post(url, { name: 'Odd', hours }), code)
})

test('hours that only touch, and 20 ranges on a weekday, are accepted', async () => {
  expect((await addType([range(2, '09:00', '10:00'), range(2, '10:00', '11:00')])).hours).toHaveLength(2)
  expect((await addType(manyRanges(20))).hours).toHaveLength(20)
})

test('owners cannot change the hours of a type of another calendar', async () => {
  const shop = await makeCalendar(meridian, owner)
  const type = await addType([])
  const url = `/api/calendars/${shop.id}/appointment-types/${type.id}`
  expectRefusal(await owner.patch(url, { hours: [range(2, '09:00', '10:00')] }), 'appointment_type.not_found')
  expect(await timesOf(type.id)).toHaveLength(16)
})

async function addType(hours: readonly ReturnType<typeof range>[]) {
  const added = await owner.post(`/api/calendars/${calendar.id}/appointment-types`, { name: 'Visit', hours })
  expect(added.statusCode).toBe(201)
  return added.json()
}

async function changeHours(id: string, hours: readonly ReturnType<typeof range>[]) {
  const changed = await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${id}`, { hours })
  expect(changed.statusCode).toBe(200)
}

async function timesOf(typeId: string): Promise<string[]> {
  const url = `/api/public/calendars/${calendar.slug}/slots?date=${TUESDAY}&appointment_type_id=${typeId}`
  const { slots }: SlotsResponse = (await meridian.get(url)).json()
  return slots.map(({ slot_start }) => slot_start)
}

/** Ranges of half an hour on a Monday. */
function manyRanges(count: number) {
  const clock = (halves: number) =>
    `${String(Math.floor(halves / 2)).padStart(2, '0')}:${halves % 2 === 0 ? '00' : '30'}`
  return Array.from({ length: count }, (_, i) => range(1, clock(i), clock(i + 1)))
}
