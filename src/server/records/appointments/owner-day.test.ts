import { beforeAll, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

let london: Calendar

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })
beforeAll(async () => {
  london = await makeCalendar(meridian, owner)
})

test('the day begins with each calendar’s own today, over all of them, and leaves out what is cancelled', async () => {
  const auckland = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
  const early = await bookAt(london, '2027-01-04T09:00:00Z')
  const cancelled = await bookAt(london, '2027-01-04T10:00:00Z')
  await change(cancelled, { status: 'cancelled' })
  // This is 9:00 on Tuesday in Auckland.
  const faraway = await bookAt(auckland, '2027-01-04T20:00:00Z')
  const tomorrow = await bookAt(london, '2027-01-05T09:00:00Z')
  meridian.clock.ms = Date.parse('2027-01-04T18:00:00Z')
  expect((await getDay()).map(({ id }) => id)).toEqual([early, faraway, tomorrow])
  // It is now Tuesday in London, and still Tuesday in Auckland.
  meridian.clock.ms = Date.parse('2027-01-05T00:00:00Z')
  expect((await getDay()).map(({ id }) => id)).toEqual([faraway, tomorrow])
  // It is now Wednesday in Auckland.
  meridian.clock.ms = Date.parse('2027-01-05T11:00:00Z')
  expect((await getDay()).map(({ id }) => id)).toEqual([tomorrow])
})

test('somebody else’s day is empty, and a guest has none', async () => {
  const stranger = await makeOwner(meridian)
  expect(await getDay(stranger)).toEqual([])
  expect((await meridian.get('/api/appointments/day')).statusCode).toBe(401)
})

test('a row has the present colour of its type, else that of its calendar', async () => {
  const somebody = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, somebody, { color: '#16a085' })
  const typeId = await addAppointmentType(meridian, calendar.id, { color: '#8e44ad' })
  await bookAt(calendar, '2027-01-06T09:00:00Z', { appointment_type_id: typeId })
  const colors = async () => (await getDay(somebody)).map(({ color }) => color)
  expect(await colors()).toEqual(['#8e44ad'])
  const { db } = meridian.database
  await db.updateTable('appointment_types').set({ color: '#e74c3c' }).where('id', '=', typeId).execute()
  expect(await colors()).toEqual(['#e74c3c'])
  await db.deleteFrom('appointment_types').where('id', '=', typeId).execute()
  expect(await colors()).toEqual(['#16a085'])
})

test('requests to cancel are counted over all calendars until they are answered or over', async () => {
  const somebody = await makeOwner(meridian)
  const one = await makeCalendar(meridian, somebody)
  const other = await makeCalendar(meridian, somebody)
  const ids = [await bookAt(one, '2027-01-07T09:00:00Z'), await bookAt(other, '2027-01-07T10:00:00Z')]
  const requests = async () => {
    const answer = await somebody.get('/api/appointments/upcoming')
    const { total, appointments } = answer.json().cancellation_requests
    return [total, appointments.map(({ id }: AppointmentRow) => id)]
  }
  expect(await requests()).toEqual([0, []])
  for (const id of ids) {
    const asked = { method: 'POST', url: `/api/public/appointments/${id}/cancellation-request` } as const
    expect((await meridian.request(asked)).statusCode).toBe(200)
  }
  expect(await requests()).toEqual([2, ids])
  await somebody.post(`/api/calendars/${one.id}/appointments/${ids[0]}/actions`, {
    action: 'deny_cancellation',
  })
  expect(await requests()).toEqual([1, [ids[1]]])
  meridian.clock.ms = Date.parse('2027-01-07T10:30:00Z')
  expect(await requests()).toEqual([0, []])
})

test('a title that a customer typed is in the row and is searched; what the form was filled with is not', async () => {
  meridian.clock.ms = Date.parse('2027-01-04T08:00:00Z')
  const somebody = await makeOwner(meridian)
  const typed = await makeCalendar(meridian, somebody)
  const typeId = await addAppointmentType(meridian, typed.id, { name: 'Massage' })
  const service = { appointment_type_id: typeId }
  const own = await bookAt(typed, '2027-01-08T09:00:00Z', { ...service, title: 'Knee after Skiing' })
  await bookAt(typed, '2027-01-08T11:00:00Z', { ...service, title: 'Massage' })
  await bookAt(typed, '2027-01-08T13:00:00Z', service)
  expect(await search(somebody, typed, 'skiing')).toEqual([[own, 'Knee after Skiing']])
  expect(await search(somebody, typed, 'KNEE')).toEqual([[own, 'Knee after Skiing']])
  expect(await search(somebody, typed, 'massage')).toEqual([])

  const untyped = await makeCalendar(meridian, somebody, {
    default_appointment_title: 'Session with {{calendar_name}}',
  })
  await bookAt(untyped, '2027-01-08T09:00:00Z', { title: `Session with ${untyped.name}` })
  await bookAt(untyped, '2027-01-08T11:00:00Z')
  const other = await bookAt(untyped, '2027-01-08T13:00:00Z', { title: 'Tax 100%' })
  expect(await search(somebody, untyped, 'session')).toEqual([])
  expect(await search(somebody, untyped, '100%')).toEqual([[other, 'Tax 100%']])
  // A search that also finds people returns the right number.
  expect((await search(somebody, untyped, 'grace')).length).toBe(3)
})

async function search(by: TestOwner, { id }: Calendar, text: string): Promise<[string, string | null][]> {
  const url = `/api/calendars/${id}/appointments?filter=all&search=${encodeURIComponent(text)}`
  const answer = (await meridian.as(by).get(url)).json()
  expect(answer.total).toBe(answer.appointments.length)
  return answer.appointments.map((row: AppointmentRow) => [row.id, row.typed_title])
}

async function getDay(by: TestOwner = owner): Promise<AppointmentRow[]> {
  const answer = await meridian.as(by).get('/api/appointments/day')
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().as_of).toBe(new Date(meridian.clock.ms).toISOString())
  return answer.json().appointments
}

async function bookAt({ slug }: Calendar, starts_at: string, body: Record<string, unknown> = {}) {
  const answer = await bookAppointment(meridian, slug, { starts_at, ...body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id as string
}

async function change(id: string, values: { status: 'cancelled' }): Promise<void> {
  await meridian.database.db.updateTable('appointments').set(values).where('id', '=', id).execute()
}
