import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const DAY_MS = 24 * 60 * 60 * 1000
const TUESDAY = { starts_at: '2027-01-05T09:00:00Z' }

test('the same request sent twice under one key books once and mails once', async () => {
  const { slug, id } = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': 'try-1' }
  const first = await bookAppointment(meridian, slug, {}, key)
  expect(first.statusCode, first.body).toBe(201)
  const second = await bookAppointment(meridian, slug, { unknown: 'is ignored' }, key)
  expect(second.statusCode).toBe(201)
  expect(second.json()).toEqual(first.json())
  expect(await countAppointments(id)).toBe(1)
  expect(await listMailJobs(first.json().id)).toEqual(['booking_confirmation', 'owner_booking_notice'])
})

test('the same request sent many times at once books once', async () => {
  const { slug, id } = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': 'try-1' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => bookAppointment(meridian, slug, {}, key)))
  expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201, 201, 201, 201])
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect(await countAppointments(id)).toBe(1)
})

test('a key that is used for something else is refused', async () => {
  const { slug, id } = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': 'try-1' }
  await bookAppointment(meridian, slug, {}, key)
  const other = await bookAppointment(meridian, slug, TUESDAY, key)
  expect(other.statusCode).toBe(422)
  expect(other.json()).toMatchObject({
    code: 'request.key_reused',
    title: PROBLEMS['request.key_reused'].title,
  })
  expect(await countAppointments(id)).toBe(1)
})

test('a refusal does not use the key up', async () => {
  const { slug } = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': 'try-1' }
  await bookAppointment(meridian, slug)
  expect((await bookAppointment(meridian, slug, {}, key)).statusCode).toBe(409)
  expect((await bookAppointment(meridian, slug, TUESDAY, key)).statusCode).toBe(201)
})

test('a key answers for 24 hours and is then free again', async () => {
  const { slug, id } = await makeCalendar(meridian, owner)
  const key = { 'idempotency-key': 'try-1' }
  const first = await bookAppointment(meridian, slug, {}, key)
  meridian.clock.ms = TEST_MONDAY + DAY_MS - 1
  expect((await bookAppointment(meridian, slug, {}, key)).json().id).toBe(first.json().id)
  meridian.clock.ms = TEST_MONDAY + DAY_MS
  const wednesday = { starts_at: '2027-01-06T09:00:00Z' }
  const later = await bookAppointment(meridian, slug, wednesday, key)
  expect(later.statusCode, later.body).toBe(201)
  expect((await bookAppointment(meridian, slug, wednesday, key)).json().id).toBe(later.json().id)
  expect(await countAppointments(id)).toBe(2)
})

test('the same key on another calendar is another key', async () => {
  const [one, two] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  const key = { 'idempotency-key': 'try-1' }
  const answers = [
    await bookAppointment(meridian, one.slug, {}, key),
    await bookAppointment(meridian, two.slug, {}, key),
  ]
  expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201])
  expect(answers[0]?.json().id).not.toBe(answers[1]?.json().id)
})

test('without a key the same request is two bookings, of which the second comes too late', async () => {
  const { slug } = await makeCalendar(meridian, owner)
  expect((await bookAppointment(meridian, slug)).statusCode).toBe(201)
  expect((await bookAppointment(meridian, slug)).statusCode).toBe(409)
})

test.each([
  ['without a value', ''],
  ['of 129 characters', 'k'.repeat(129)],
])('a key %s is refused', async (_case, key) => {
  const { slug } = await makeCalendar(meridian, owner)
  const response = await bookAppointment(meridian, slug, {}, { 'idempotency-key': key })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ errors: [{ path: 'idempotency-key' }] })
  expect((await bookAppointment(meridian, slug, {}, { 'idempotency-key': randomUUID() })).statusCode).toBe(
    201,
  )
})

async function countAppointments(calendarId: string): Promise<number> {
  const { db } = meridian.database
  return (await db.selectFrom('appointments').select('id').where('calendar_id', '=', calendarId).execute())
    .length
}

/** Lists the kinds of all queued emails about an appointment, sent or not. */
async function listMailJobs(appointmentId: string): Promise<unknown[]> {
  const { rows } = await meridian.database.execute(
    `select message.kind from appointment_messages as message
       join pgboss.job on data ->> 'messageId' = message.id::text
     where appointment_id = $1 order by 1`,
    [appointmentId],
  )
  return rows.map((row) => row.kind)
}
