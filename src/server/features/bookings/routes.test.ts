import { afterAll, beforeAll, expect, test } from 'vitest'
import { book, makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'

let meridian: TestMeridian

beforeAll(async () => {
  meridian = await startMeridian()
})
afterAll(() => meridian.stop())

test('a visitor books a time and both are told', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const response = await book(meridian, calendar.slug)
  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toMatchObject({
    status: 'confirmed',
    payment_status: 'not_required',
    date: '2027-01-04',
    start_time: '09:00:00',
    end_time: '09:30:00',
    confirmation_email_queued: true,
  })
  expect(response.json().booking_reference).toMatch(/^BK-\d{13}$/)
  await meridian.waitForMail((mail) => mail.to.address === 'grace@example.com')
  await meridian.waitForMail((mail) => mail.to.address === owner.email)
})

test('the same time is refused to the next one', async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  expect((await book(meridian, calendar.slug)).statusCode).toBe(201)
  const second = await book(meridian, calendar.slug, { customer: { name: 'B', email: 'b@example.com' } })
  expect(second.statusCode).toBe(409)
  expect(second.json()).toMatchObject({
    code: 'booking.slot_unavailable',
    title: 'This time is no longer available. Please choose another time.',
  })
})
