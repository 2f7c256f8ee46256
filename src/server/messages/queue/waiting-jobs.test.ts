import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { AppointmentMessage } from '#contract/messages/messages.ts'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { MailRefusedError, type OutgoingMail } from '#server/ports/mailer.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import {
  backdateRegistration,
  listMessageStates,
  notifyOwnersOfFailedEmails,
  retryWaitingMessages,
  waitUntilMessagesSent,
} from '#tests/support/message-ledger.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar
/** The customer of a test, whose address no other test uses. */
let grace: string
let tests = 0
const mails: OutgoingMail[] = []
let failure: Error | null = null

/** Starts the product with these rate limits, for one group of tests. */
async function start(budgets: string): Promise<void> {
  const mailer = {
    send: async (mail: OutgoingMail) => {
      if (failure !== null) throw failure
      mails.push(mail)
    },
    close: async () => {},
  }
  meridian = await startMeridian({ env: { BUDGETS: budgets }, mailer })
}

/** Creates a new practice and a customer who has received no message yet, and sets the clock to a Monday morning. */
async function beginAnew(): Promise<void> {
  meridian.clock.ms = TEST_MONDAY
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
  tests += 1
  grace = `grace.${tests}@example.com`
  mails.length = 0
}

const WAITS_UNANSWERED = 'waiting email_unanswered'

describe('a message without room', () => {
  beforeAll(() => start('email_owner=1'))
  afterAll(() => meridian.stop())
  beforeEach(async () => {
    await beginAnew()
    await backdateRegistration(meridian, owner, 0)
    await bookByHand(1)
    await bookByHand(2)
    await waitUntilMessagesSent(meridian)
  })

  test('waits, its appointment says so, and it is sent by itself when there is room', async () => {
    expect(await states()).toEqual(['sent', 'waiting email_owner'])
    const [first, second] = await listAppointments()
    expect([first.waiting_messages, second.waiting_messages]).toEqual([0, 1])
    const [message] = await listMessages(second.id)
    const dayLater = new Date(meridian.clock.ms + DAY_MS).toISOString()
    expect(message).toMatchObject({
      state: 'waiting',
      waits_for: 'email_owner',
      at: dayLater,
      can_send_again: false,
    })
    meridian.clock.ms += DAY_MS - 1
    await retryWaitingMessages(meridian)
    expect(await states()).toEqual(['sent', 'waiting email_owner'])
    meridian.clock.ms += 1
    await retryWaitingMessages(meridian)
    expect(await states()).toEqual(['sent', 'sent'])
    expect((await listMessages(second.id))[0]).toMatchObject({ waits_for: null })
  })

  test('is dropped when it has become untrue meanwhile', async () => {
    const [, second] = await listAppointments()
    await act(second.id, 'cancel')
    meridian.clock.ms += DAY_MS
    await retryWaitingMessages(meridian)
    expect(await states()).toEqual(['sent', 'dropped'])
  })

  test('is told to the owner by one email a day and calendar, together with what was given up', async () => {
    failure = new MailRefusedError({ code: 550, command: 'RCPT', words: 'who?', isFinal: true })
    meridian.clock.ms += DAY_MS
    await retryWaitingMessages(meridian)
    failure = null
    await bookByHand(3)
    await waitUntilMessagesSent(meridian)
    expect(await states()).toEqual(['sent', 'given_up', 'waiting email_owner'])
    await notifyOwnersOfFailedEmails(meridian)
    meridian.clock.ms += 23 * HOUR_MS
    await bookByHand(4)
    await waitUntilMessagesSent(meridian)
    await notifyOwnersOfFailedEmails(meridian)
    const toOwner = () => mails.filter(({ to }) => to.address === owner.email)
    await waitUntilEmailsSent(meridian.database)
    expect(toOwner()).toHaveLength(1)
    const [told] = toOwner()
    expect(told?.subject).toBe(`Messages weren’t delivered: ${calendar.name}`)
    expect(told?.text).toContain('The mail server rejected this address (550)')
    expect(told?.text).toContain('You’ve reached today’s email limit.')
    meridian.clock.ms += HOUR_MS
    await notifyOwnersOfFailedEmails(meridian)
    await waitUntilEmailsSent(meridian.database)
    expect(toOwner()).toHaveLength(2)
    expect(toOwner()[1]?.subject).toBe(`Messages are on hold: ${calendar.name}`)
  })

  test('has room when the account is a week old, and more with a plan', async () => {
    const countSent = async () => {
      await waitUntilMessagesSent(meridian)
      return (await states()).filter((state) => state === 'sent').length
    }
    expect(await countSent()).toBe(1)
    await backdateRegistration(meridian, owner, 7)
    for (const day of [3, 4, 5, 6, 7]) await bookByHand(day)
    expect(await countSent()).toBe(5)
    await backdateRegistration(meridian, owner, 0)
    const plan = { user_id: owner.id, tier: 'professional', ends_at: null } as const
    await meridian.database.db.insertInto('subscriptions').values(plan).execute()
    for (const day of [8, 9]) await bookByHand(day)
    expect(await countSent()).toBe(7)
  })
})

test('an address gets so many emails in a day, of one calendar and of all', async () => {
  await start('email_calendar_recipient=2,email_recipient=3')
  await beginAnew()
  const other = await makeCalendar(meridian, await makeOwner(meridian))
  for (const day of [1, 2, 3]) await bookByHand(day, { email: grace.toUpperCase() })
  await waitUntilMessagesSent(meridian)
  for (const hour of [9, 10]) await bookOnline(hour, grace, other)
  await bookOnline(11, owner.email)
  await bookOnline(12, owner.email)
  await bookOnline(13, owner.email)
  await waitUntilMessagesSent(meridian)
  expect(await states()).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', 'waiting email_calendar_recipient'])
  expect(await listMessageStates(meridian, other.id)).toEqual(['sent', 'waiting email_recipient'])
  await meridian.stop()
})

describe('an address that has not answered', () => {
  beforeAll(() => start('email_unanswered=1'))
  afterAll(() => meridian.stop())
  beforeEach(async () => {
    await beginAnew()
    await bookOnline(9)
    await waitUntilMessagesSent(meridian)
    await bookOnline(10)
    await waitUntilMessagesSent(meridian)
  })

  test('is told of one booking on the public page; answering by a link of that email releases the rest for good', async () => {
    expect(await states()).toEqual(['sent', WAITS_UNANSWERED])
    expect((await answer(linkIn(toGrace()[0]))).statusCode).toBe(204)
    await retryWaitingMessages(meridian)
    expect(await states()).toEqual(['sent', 'sent'])
    meridian.clock.ms += 20 * DAY_MS
    for (const hour of [9, 10, 11]) await bookOnline(hour + 24 * 21)
    await waitUntilMessagesSent(meridian)
    expect(await states()).toEqual(Array(5).fill('sent'))
  })

  test('has answered by nothing that whoever typed the address can do', async () => {
    const [first] = await listAppointments()
    const url = `/api/public/appointments/${first.id}`
    expect((await meridian.get(url)).statusCode).toBe(200)
    expect((await meridian.post(`${url}/cancellation-request`)).statusCode).toBe(200)
    expectRefusal(await answer('A'.repeat(44)), 'email_link.invalid')
    expectRefusal(await answer(linkIn(toGrace()[0]).slice(1)), 'email_link.invalid')
    await retryWaitingMessages(meridian)
    expect((await states())[1]).toBe(WAITS_UNANSWERED)
    // The response to a booking does not contain that link.
    const booked = await bookOnline(11)
    expect(booked.body).not.toContain(linkIn(toGrace()[0]))
  })

  test('is not told what becomes of a booking of which it was not told', async () => {
    const [, second] = await listAppointments()
    await act(second.id, 'cancel')
    await waitUntilMessagesSent(meridian)
    expect(await listMessageStates(meridian, calendar.id, 'cancelled')).toEqual([WAITS_UNANSWERED])
    // The customer has received a message about the first booking.
    const [first] = await listAppointments()
    await act(first.id, 'cancel')
    await waitUntilMessagesSent(meridian)
    expect(await listMessageStates(meridian, calendar.id, 'cancelled')).toEqual(['sent', WAITS_UNANSWERED])
  })

  test('is told when the owner has the message sent again, and vouches for it', async () => {
    const [, second] = await listAppointments()
    const [message] = (await listMessages(second.id)).filter(({ kind }) => kind === 'booking_confirmation')
    expect(message).toMatchObject({ can_send_again: true })
    const url = `/api/calendars/${calendar.id}/appointments/${second.id}/messages/${message?.id}/send-again`
    const payload = { repeat: 0 }
    expect((await owner.post(url, payload)).statusCode).toBe(200)
    await waitUntilMessagesSent(meridian)
    expect(await states()).toEqual(['sent', 'sent'])
  })

  test('is told of others after a week', async () => {
    meridian.clock.ms += 7 * DAY_MS
    await bookOnline(9 + 24 * 8)
    await waitUntilMessagesSent(meridian)
    expect((await states()).at(-1)).toBe('sent')
  })

  test('gets nothing more about appointments once its reader has stopped that, until they allow it again', async () => {
    const link = linkIn(toGrace()[0])
    expect(toGrace()[0]?.text).toContain(`Didn’t book this? Unsubscribe:\n${stopAddress(link)}`)
    const stopped = await post('/api/public/email-stops', { link })
    expect(stopped.statusCode).toBe(204)
    await bookByHand(30, { email: grace })
    const [first] = await listAppointments()
    await act(first.id, 'cancel')
    await waitUntilMessagesSent(meridian)
    expect((await states()).at(-1)).toBe('waiting email_stopped')
    expect(await listMessageStates(meridian, calendar.id, 'cancelled')).toEqual(['waiting email_stopped'])
    expect(toGrace()).toHaveLength(1)
    await answer(link)
    await retryWaitingMessages(meridian)
    expect(toGrace().length).toBeGreaterThan(1)
    expect((await states()).at(-1)).toBe('sent')
  })

  test('a regular customer never has to answer: one who kept an appointment here, or paid for one', async () => {
    const [kept = '', paid = '', stranger = ''] = await Promise.all(
      ['2027-01-02T09:00:00Z', '2027-06-01T09:00:00Z', '2027-06-02T09:00:00Z'].map((startsAt, index) =>
        addAppointment(meridian, calendar.id, { startsAt, booking_reference: `BK-179000000000${index}` }),
      ),
    )
    const [keptBy, paidBy, known] = await Promise.all([kept, paid, stranger].map(emailOf))
    await meridian.database.db
      .insertInto('payment_transactions')
      .values({
        calendar_id: calendar.id,
        id: paid,
        appointment_id: paid,
        amount_cents: 4_000,
        provider: 'stripe',
        status: 'completed',
        checkout_id: 'cs_1',
        payment_id: 'pi_1',
        provider_account_id: null,
        checkout_url: null,
        refund_id: null,
        failure: null,
        refund_reason: null,
        completed_at: new Date(meridian.clock.ms),
        refunded_at: null,
        created_at: new Date(meridian.clock.ms),
      })
      .execute()
    for (const [index, email] of [keptBy, keptBy, paidBy, paidBy, known, known].entries()) {
      await bookOnline(33 + index / 2, email)
      await waitUntilMessagesSent(meridian)
    }
    expect((await states()).slice(-6)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent', WAITS_UNANSWERED])
  })
})

function states(): Promise<string[]> {
  return listMessageStates(meridian, calendar.id)
}

async function emailOf(appointmentId: string): Promise<string> {
  const { email } = await meridian.database.db
    .selectFrom('appointments')
    .innerJoin('customers', 'customers.id', 'appointments.customer_id')
    .select('customers.email')
    .where('appointments.id', '=', appointmentId)
    .executeTakeFirstOrThrow()
  return email ?? ''
}

/** The owner books `day` days after January 4, for a new customer unless one is given. */
async function bookByHand(day: number, { email = `by-hand-${day}@example.com` } = {}): Promise<void> {
  const starts_at = new Date(Date.parse('2027-01-04T20:00:00Z') + day * DAY_MS).toISOString()
  const customer = { name: 'Grace Hopper', email }
  const url = `/api/calendars/${calendar.id}/appointments`
  const payload = { starts_at, outside_hours: true, customer }
  const booked = await owner.post(url, payload)
  expect(booked.statusCode, booked.body).toBe(201)
}

/**
 * Somebody books on the public page, `hours` after the first midnight; the customer is Grace unless another is given.
 */
async function bookOnline(hours: number, email = grace, { slug } = calendar) {
  const starts_at = new Date(Date.parse('2027-01-04T00:00:00Z') + hours * HOUR_MS).toISOString()
  const booked = await bookAppointment(meridian, slug, {
    starts_at,
    customer: { name: 'Grace Hopper', email },
  })
  expect(booked.statusCode, booked.body).toBe(201)
  return booked
}

function toGrace(): OutgoingMail[] {
  return mails.filter(({ to }) => to.address === grace)
}

/** Returns the part of a link that only the reader of the email knows; it is the same in each link of an email. */
function linkIn(mail: OutgoingMail | undefined): string {
  const found = [...(mail?.text ?? '').matchAll(/#email=([\w-]+)/g)].map(([, link]) => link)
  expect(new Set(found).size).toBe(1)
  return found[0] ?? ''
}

function stopAddress(link: string): string {
  return `http://localhost:3000/cancel/emails#email=${link}`
}

function answer(link: string) {
  return post('/api/public/email-answers', { link })
}

function post(url: string, payload: object) {
  return meridian.post(url, payload)
}

/** Lists the calendar's appointments, earliest first. */
async function listAppointments() {
  const url = `/api/calendars/${calendar.id}/appointments?filter=all&page_size=50`
  const { appointments } = (await owner.get(url)).json()
  return appointments.toSorted((a: { starts_at: string }, b: { starts_at: string }) =>
    a.starts_at.localeCompare(b.starts_at),
  )
}

async function listMessages(appointmentId: string) {
  const url = `/api/calendars/${calendar.id}/appointments/${appointmentId}/messages`
  const { messages } = (await owner.get(url)).json()
  return (messages as AppointmentMessage[]).filter(({ state }) => state !== 'planned')
}

async function act(appointmentId: string, action: string): Promise<void> {
  const url = `/api/calendars/${calendar.id}/appointments/${appointmentId}/actions`
  const done = await owner.post(url, { action })
  expect(done.statusCode, done.body).toBe(200)
}
