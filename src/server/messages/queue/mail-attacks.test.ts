import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  backdateRegistration,
  countMessages,
  notifyOwnersOfFailedEmails,
  retryWaitingMessages,
  waitUntilMessagesSent,
} from '#tests/support/message-ledger.ts'
import { queryNumber } from '#tests/support/race-track.ts'

/** These tests replay known attacks against the default email limits. */
let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar

beforeEach(async () => {
  // Raised limits for bookings, which would stop these attacks earlier. These tests are about the limits of emails.
  const BUDGETS = 'bookings_client=100000,bookings_client_calendar=100000,bookings_email=100000'
  meridian = await startMeridian({ env: { BUDGETS } })
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
  await backdateRegistration(meridian, owner, 0)
})
afterEach(() => meridian.stop())

test('of 200 emails that a new free account sends to strangers by booking for them, 60 leave in a day; every appointment stands, the rest waits, and the owner is told once', {
  tags: ['slow'],
}, async () => {
  for (let i = 0; i < 200; i += 1) await bookForStranger(i)
  await waitUntilMessagesSent(meridian)
  expect(mailsToCustomers()).toHaveLength(60)
  expect(await countAppointments()).toBe(200)
  expect(await countMessages(meridian.database, 'waiting')).toBe(140)
  for (let hour = 0; hour < 3; hour += 1) {
    meridian.clock.ms += DAY_MS / 24
    await notifyOwnersOfFailedEmails(meridian)
  }
  const told = await meridian.waitForMail(({ to }) => to.address === owner.email)
  expect(told.subject).toBe(`Messages are on hold: ${calendar.name}`)
  expect(told.text).toContain('And 120 more.')
  meridian.clock.ms += DAY_MS
  await retryWaitingMessages(meridian)
  expect(mailsToCustomers()).toHaveLength(120)
  expect(meridian.mails.filter(({ to }) => to.address === owner.email)).toEqual([told])
})

test('of 60 emails that an owner has sent again at one customer five leave, and a sentence says so', async () => {
  await bookForStranger(0)
  const { appointmentId, id } = await findMessage()
  for (let repeat = 0; repeat < 5; repeat += 1) {
    await waitUntilMessagesSent(meridian)
    expect((await sendAgain(appointmentId, { id, repeat })).statusCode).toBe(200)
  }
  await waitUntilMessagesSent(meridian)
  for (let i = 5; i < 60; i += 1) {
    expectRefusal(await sendAgain(appointmentId, { id, repeat: 5 }), 'message.sent_often')
  }
  expect(mailsToCustomers()).toHaveLength(6)
})

test('somebody who books 120 times for one victim, in every spelling of the address, has three emails sent', {
  tags: ['slow'],
}, async () => {
  await backdateRegistration(meridian, owner, 60)
  for (let i = 0; i < 120; i += 1) {
    const customer = { name: `Unlock it: https://evil${i}.example`, email: `Victim+${i}@mail.example` }
    const answer = await bookAppointment(meridian, calendar.slug, { starts_at: slotAt(i), customer })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  await waitUntilMessagesSent(meridian)
  expect(mailsToCustomers()).toHaveLength(3)
  for (const { text, html } of mailsToCustomers()) expect(text + html).not.toContain('evil')
  expect(await countAppointments()).toBe(120)
})

test('an owner who deletes a calendar with 80 appointments of strangers has 60 emails sent', {
  tags: ['slow'],
}, async () => {
  for (let i = 0; i < 80; i += 1) await bookForStranger(i, { notify_customer: false })
  const deleted = await owner.delete(`/api/calendars/${calendar.id}`)
  expect(deleted.statusCode, deleted.body).toBeLessThan(300)
  const isDone = "select count(*) from pgboss.job where name = 'appointment-mail' and state = 'completed'"
  await expect.poll(() => queryNumber(meridian.database, isDone), { timeout: 60_000 }).toBe(80)
  expect(mailsToCustomers()).toHaveLength(60)
  // The other messages wait in the queue.
  const waiting = "select count(*) from pgboss.job where name = 'appointment-mail' and start_after > now()"
  expect(await queryNumber(meridian.database, waiting)).toBe(20)
})

test('an established practice with 200 appointments in a day has all of their emails sent', {
  tags: ['slow'],
}, async () => {
  await backdateRegistration(meridian, owner, 60)
  for (let i = 0; i < 100; i += 1) {
    await bookForStranger(i)
    const customer = { name: 'A Customer', email: `customer-${i}@mail.example` }
    await bookAppointment(meridian, calendar.slug, { starts_at: slotAt(i), customer })
  }
  await waitUntilMessagesSent(meridian)
  expect(mailsToCustomers()).toHaveLength(200)
  expect(meridian.mails).toHaveLength(300)
})

/** The owner books for a new customer, in the evening. */
async function bookForStranger(index: number, body: Record<string, unknown> = {}): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments`, {
    starts_at: new Date(Date.parse('2027-01-08T20:00:00Z') + index * DAY_MS).toISOString(),
    outside_hours: true,
    title: 'Win a prize at https://prize.example',
    customer: { name: 'A Stranger', email: `stranger-${index}@mail.example` },
    ...body,
  })
  expect(answer.statusCode, answer.body).toBe(201)
}

/** Returns the n-th half hour in the calendar's opening hours, starting next Monday. */
function slotAt(index: number): string {
  const weekMs = Math.floor(index / 80) * 7 * DAY_MS
  const dayMs = Math.floor((index % 80) / 16) * DAY_MS
  const startsAtMs = Date.parse('2027-01-11T09:00:00Z') + weekMs + dayMs + (index % 16) * 30 * 60_000
  return new Date(startsAtMs).toISOString()
}

function mailsToCustomers() {
  return meridian.mails.filter(({ to }) => to.address !== owner.email)
}

function countAppointments(): Promise<number> {
  return queryNumber(meridian.database, 'select count(*) from appointments')
}

async function findMessage(): Promise<{ appointmentId: string; id: string }> {
  const { appointment_id: appointmentId, id } = await meridian.database.db
    .selectFrom('appointment_messages')
    .select(['appointment_id', 'id'])
    .executeTakeFirstOrThrow()
  return { appointmentId, id }
}

function sendAgain(appointmentId: string, { id, repeat }: { id: string; repeat: number }) {
  return owner.post(`/api/calendars/${calendar.id}/appointments/${appointmentId}/messages/${id}/send-again`, {
    repeat,
  })
}
