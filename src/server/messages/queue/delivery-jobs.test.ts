import { beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { queueDeliveryMails, sendDeliveryMail } from './delivery-jobs.ts'

let owner: TestOwner
let calendar: Calendar

setUpMeridian({ env: { ROLE: 'web' } })
beforeAll(async () => {
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
})

test('an owner is told once a day and calendar which messages were given up, and the row says so too', async () => {
  const id = await addAppointment(meridian, calendar.id, {
    startsAt: '2027-01-08T10:00:00Z',
    customer_name: 'Grace Hopper',
  })
  await giveUp(id, 'first')
  await giveUp(id, 'second')
  const [mail, ...others] = await tell()
  expect(others).toEqual([])
  expect(mail?.to.address).toBe(owner.email)
  expect(mail?.subject).toBe(`Messages weren’t delivered: ${calendar.name}`)
  expect(mail?.text.match(/Grace Hopper, BK-/g)).toHaveLength(2)
  expect(mail?.text).toContain('The mail server rejected this address (550)')
  const { appointments } = (await owner.get(`/api/calendars/${calendar.id}/appointments`)).json()
  expect(appointments[0].undelivered_messages).toBe(2)

  await giveUp(id, 'third')
  meridian.clock.ms += 23 * 3_600_000
  expect(await tell()).toEqual([])
  meridian.clock.ms += 2 * 3_600_000
  expect((await tell())[0]?.text.match(/Grace Hopper, BK-/g)).toHaveLength(1)
  expect(await tell()).toEqual([])
})

test('what was not delivered is listed for its owner until it is sent again or the appointment is over', async () => {
  const stranger = owner
  owner = await makeOwner(meridian)
  const other = await makeCalendar(meridian, owner)
  const startsAt = new Date(meridian.clock.ms + 5 * 24 * 3_600_000).toISOString()
  const id = await addAppointment(meridian, other.id, { startsAt })
  await addAppointment(meridian, other.id, {
    startsAt: new Date(meridian.clock.ms + 7_200_000).toISOString(),
  })
  expect(await undelivered(other.id)).toMatchObject({ messages: 0, appointments: [] })
  await giveUp(id, 'first', other.id)
  await giveUp(id, 'second', other.id)
  expect(await undelivered(other.id)).toMatchObject({
    messages: 2,
    appointments: [{ id, undelivered_messages: 2 }],
  })
  const url = `/api/calendars/${other.id}/undelivered-messages`
  expect((await stranger.get(url)).statusCode).toBe(403)
  meridian.clock.ms += 6 * 24 * 3_600_000
  expect(await undelivered(other.id)).toMatchObject({ messages: 0, appointments: [] })
})

async function undelivered(calendarId: string) {
  return (await owner.get(`/api/calendars/${calendarId}/undelivered-messages`)).json()
}

async function giveUp(appointment_id: string, occasion: string, calendar_id = calendar.id): Promise<void> {
  const now = new Date(meridian.clock.ms)
  await meridian.database.db
    .insertInto('appointment_messages')
    .values({
      calendar_id,
      appointment_id,
      kind: 'booking_confirmation',
      recipient: 'customer',
      occasion,
      sequence: 0,
      state: 'given_up',
      attempts: 40,
      last_error: 'The mail server rejected this address (550)',
      changed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Runs the job once and returns the emails that it sends. */
async function tell(): Promise<OutgoingMail[]> {
  const queued: { calendarId: string; toldAt: string }[] = []
  const sent: OutgoingMail[] = []
  const { db } = meridian.database
  const insert = async (_trx: unknown, _job: unknown, payloads: readonly object[]) => {
    queued.push(...(payloads as typeof queued)) // The job queues no other jobs.
  }
  await queueDeliveryMails({ db, now: () => meridian.clock.ms, jobs: { insert } })
  const mailer = { send: async (mail: OutgoingMail) => void sent.push(mail), close: async () => {} }
  for (const job of queued) {
    await sendDeliveryMail({ db, mailer, origin: MAIL_ORIGIN, baseUrl: 'https://book.example' }, job)
  }
  return sent
}
