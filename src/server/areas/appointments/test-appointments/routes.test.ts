import { expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

test('the owner books the first free time, and gets the emails of a customer', async () => {
  await addAppointmentType(meridian, calendar.id, { name: 'Session', duration: 50, price_cents: 9_000 })
  const booked = await book()
  expect(booked.json()).toEqual({
    id: expect.any(String),
    starts_at: expect.stringMatching(/^2027-01-04T/),
    time_zone: calendar.timezone,
    hour_cycle: 'h12',
    email: owner.email,
  })
  const [row] = (await list()).appointments
  expect(row).toMatchObject({
    id: booked.json().id,
    is_test: true,
    description: 'This is a test appointment.',
    // Nobody can owe or pay anything for it.
    price: null,
    payment_status: 'not_required',
    customers: { email: owner.email },
    appointment_types: { name: 'Session' },
  })
  const mail = await meridian.waitForMail(
    ({ subject, to }) => to.address === owner.email && subject.includes('Booking confirmed'),
  )
  expect(mail.text).toContain('This is a test appointment.')
  expect(mail.text).toContain(row.booking_reference)
})

test('a second press, and twenty at once, book no second one', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, book))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect((await list()).total).toBe(1)
})

test('a second press returns the first one, also when no time is free any more', async () => {
  const first = (await book()).json()
  await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
  expect((await book()).json()).toEqual(first)
})

test('it counts nowhere', async () => {
  await book()
  const insights = (await owner.get(`/api/calendars/${calendar.id}/insights`)).json()
  expect(insights.appointments).toBe(0)
  expect(insights.days.every(({ booked_minutes }: { booked_minutes: number }) => booked_minutes === 0)).toBe(
    true,
  )
  const money = (await owner.get(`/api/calendars/${calendar.id}/money`)).json()
  expect(money).toMatchObject({ outstanding: [] })
})

test('one press removes it with its customer and its emails, and frees its time', async () => {
  const { id, starts_at } = (await book()).json()
  expectRefusal(await bookAppointment(meridian, calendar.slug, { starts_at }), 'booking.slot_unavailable')
  expect((await remove()).statusCode).toBe(204)
  expect((await remove()).statusCode).toBe(204)
  expect((await list()).total).toBe(0)
  expect((await meridian.get(`/api/public/appointments/${id}`)).statusCode).toBe(404)
  const { rows } = await meridian.database.execute(
    `select (select count(*) from customers where calendar_id = $1)::integer as customers,
      (select count(*) from appointment_messages where calendar_id = $1)::integer as messages`,
    [calendar.id],
  )
  expect(rows).toEqual([{ customers: 0, messages: 0 }])
  expect((await bookAppointment(meridian, calendar.slug, { starts_at })).statusCode).toBe(201)
})

test('a customer record that has other appointments stays', async () => {
  await book()
  const own = { customer: { name: 'Me', email: owner.email }, starts_at: '2027-01-06T10:00:00Z' }
  expect((await bookAppointment(meridian, calendar.slug, own)).statusCode).toBe(201)
  await remove()
  const { appointments } = await list()
  expect(appointments).toMatchObject([{ is_test: false, customers: { email: owner.email } }])
})

test('a cancelled one can be replaced by a new one', async () => {
  const { id } = (await book()).json()
  const url = `/api/calendars/${calendar.id}/appointments/${id}/actions`
  const cancelled = await owner.post(url, { action: 'cancel' })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
  const again = (await book()).json()
  expect(again.id).not.toBe(id)
  expect((await list()).total).toBe(1)
})

test('without a free time it says where to look', async () => {
  const { id } = calendar
  await meridian.database.execute('delete from availability where calendar_id = $1', [id])
  expectRefusal(await book(), 'test_appointment.no_free_time')
})

test('only the owner of the calendar books and removes it', async () => {
  const stranger = await makeOwner(meridian)
  const url = `/api/calendars/${calendar.id}/test-appointment`
  expectRefusal(await stranger.post(url), 'calendar.forbidden')
  expectRefusal(await stranger.delete(url), 'calendar.forbidden')
  expectRefusal(await meridian.post(url), 'auth.required')
})

function book() {
  return owner.post(`/api/calendars/${calendar.id}/test-appointment`)
}

function remove() {
  return owner.delete(`/api/calendars/${calendar.id}/test-appointment`)
}

async function list() {
  return (await owner.get(`/api/calendars/${calendar.id}/appointments?filter=all`)).json()
}
