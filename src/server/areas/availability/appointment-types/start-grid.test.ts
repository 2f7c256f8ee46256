import { expect, test } from 'vitest'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

/** A Tuesday, on which the calendar is open from 9:00 to 17:00. */
const TUESDAY = '2027-01-05'

test.each([
  [{ start_step_minutes: 240 }, ['09:00:00', '13:00:00']],
  [{ start_step_minutes: 0, duration: 120 }, ['09:00:00', '11:00:00', '13:00:00', '15:00:00']],
])(
  'customers are offered a type with %j on that grid only, and can book only that',
  async (fields, times) => {
    const type = await addType(fields)
    expect(await timesOf(type.id)).toEqual(times)
    expectRefusal(await book(type.id, '09:30'), 'booking.slot_unavailable')
    expect((await book(type.id, '13:00')).statusCode).toBe(201)
  },
)

test('a packed type is offered, and can be booked, right after an appointment and right before one', async () => {
  const plain = await addType({})
  expect((await book(plain.id, '10:00')).statusCode).toBe(201)
  const type = await addType({ start_step_minutes: 240, is_packed: true, duration: 50 })
  expect(await timesOf(type.id)).toEqual(['09:00:00', '09:10:00', '10:30:00', '13:00:00'])
  expectRefusal(await book(type.id, '10:35'), 'booking.slot_unavailable')
  expect((await book(type.id, '10:30')).statusCode).toBe(201)
  expect(await timesOf(type.id)).toEqual(['09:00:00', '09:10:00', '11:20:00', '13:00:00'])
  expect((await book(type.id, '09:10')).statusCode).toBe(201)
})

test('a type keeps its step and is packed still when another field changes', async () => {
  const type = await addType({ start_step_minutes: 45, is_packed: true })
  const changed = await owner.patch(`${typesPath()}/${type.id}`, { name: 'Evening' })
  expect(changed.json()).toMatchObject({ start_step_minutes: 45, is_packed: true })
  expect((await addType({})).start_step_minutes).toBeNull()
})

test.each([-5, 3, 7.5, 241, 245, '30'])('a step of %s is refused', async (start_step_minutes) => {
  const refused = await owner.post(typesPath(), { name: 'Odd', start_step_minutes })
  expectRefusal(refused, 'request.invalid')
})

function typesPath(): string {
  return `/api/calendars/${calendar.id}/appointment-types`
}

async function addType(fields: object) {
  const added = await owner.post(typesPath(), { name: 'Visit', ...fields })
  expect(added.statusCode).toBe(201)
  return added.json()
}

function book(typeId: string, clock: string) {
  const starts_at = `${TUESDAY}T${clock}:00Z`
  return bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: typeId })
}

async function timesOf(typeId: string): Promise<string[]> {
  const url = `/api/public/calendars/${calendar.slug}/slots?date=${TUESDAY}&appointment_type_id=${typeId}`
  const { slots }: SlotsResponse = (await meridian.get(url)).json()
  return slots.map(({ slot_start }) => slot_start)
}
