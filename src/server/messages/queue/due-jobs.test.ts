import { beforeEach, describe, expect, test } from 'vitest'
import { decideReminder } from '#core/messages/decide-reminder.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import * as fc from '#tests/support/fast-check.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { findOtherParticipants, makeParticipant } from '#tests/support/sessions.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import { queueDueReminders } from './due-jobs.ts'
import { listDueReminders } from './due-repository.ts'
import { sendAppointmentMail } from './jobs.ts'

let nowMs = TEST_MONDAY
let failure: Error | null = null
const sent: OutgoingMail[] = []
let queued: { calendarId: string; messageId: string; repeat: number }[] = []

/** Start no worker: the tests set the time, and run the polls and send the messages themselves. */
setUpCalendar({ env: { ROLE: 'web', DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  sent.length = 0
  queued = []
  failure = null
  nowMs = TEST_MONDAY
  await meridian.database.db.deleteFrom('appointments').execute()
})

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const at = (instant: string) => Date.parse(instant)

describe('a reminder of an appointment that was moved', () => {
  test('follows the new time, and the one of the old time that is queued already is not sent', async () => {
    const id = await add('2027-01-06T09:00:00Z')
    nowMs = at('2027-01-05T09:00:00Z')
    await round()
    await move(id, '2027-01-08T09:00:00Z')
    await work()
    await passTo('2027-01-06T08:00:00Z')
    expect(sent).toEqual([])
    await passTo('2027-01-07T09:00:00Z')
    await passTo('2027-01-07T09:01:00Z')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.text).toContain('January 8, 2027')
  })

  test('is not sent when it would have been due before the move, whose message has just said the same', async () => {
    const id = await add('2027-01-08T09:00:00Z')
    nowMs = at('2027-01-05T09:00:00Z')
    await move(id, '2027-01-05T15:00:00Z')
    await passTo('2027-01-05T09:01:00Z')
    await passTo('2027-01-07T09:01:00Z')
    expect(sent).toEqual([])
  })
})

describe('a reminder of an appointment that is one of several', () => {
  test('goes to each customer of a session, and names no other', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', seats: 8 })
    const people = ['Alfa', 'Bravo'] as const
    for (const name of people)
      await book({
        appointment_type_id,
        starts_at: '2027-01-06T09:00:00Z',
        customer: makeParticipant(name),
      })
    await passTo('2027-01-05T08:59:00Z')
    expect(sent).toEqual([])
    for (const due of ['2027-01-05T09:00:00Z', '2027-01-05T09:01:00Z']) await passTo(due)
    expect(sent.map(({ to }) => to.address).sort()).toEqual(people.map((name) => makeParticipant(name).email))
    for (const { to, ...mail } of sent) {
      const name = people.find((each) => makeParticipant(each).email === to.address) ?? 'Zulu'
      expect(mail.text).toContain(name)
      expect(findOtherParticipants(JSON.stringify(mail), name)).toEqual([])
    }
  })

  test('is sent for each date of a series, in its own time', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, {
      series_rule: JSON.stringify({ every_weeks: [1], most_dates: 4 }),
    })
    const series = { every_weeks: 1, dates: [{ number: 2, starts_at: '2027-01-13T09:00:00Z' }] }
    await book({ appointment_type_id, starts_at: '2027-01-06T09:00:00Z', series })
    await passTo('2027-01-05T09:00:00Z')
    await passTo('2027-01-12T08:59:00Z')
    expect(sent.map(({ text }) => /January \d+, 2027/.exec(text)?.[0])).toEqual(['January 6, 2027'])
    await passTo('2027-01-12T09:00:00Z')
    await passTo('2027-01-13T08:59:00Z')
    expect(sent.map(({ text }) => /January \d+, 2027/.exec(text)?.[0])).toEqual([
      'January 6, 2027',
      'January 13, 2027',
    ])
  })
})

describe('a reminder', () => {
  test('is sent once, when its hours have come and not a minute before', async () => {
    await add('2027-01-06T09:00:00Z')
    await passTo('2027-01-05T08:59:00Z')
    expect(sent).toEqual([])
    await passTo('2027-01-05T09:00:00Z')
    expect(sent).toHaveLength(1)
    for (const later of ['2027-01-05T09:01:00Z', '2027-01-06T08:59:00Z', '2027-01-07T09:00:00Z'])
      await passTo(later)
    expect(sent).toHaveLength(1)
  })

  test('says what the owner wrote, under their name, with the same facts, and replies go to them', async () => {
    await setReminders({
      template: 'Dear {customer_name},\n\nsee you on {date} at {time}. {nonsense}',
      subject: '{calendar_name}: {date}\r\nBcc: x@y.example',
      sender_name: 'Maya at the desk',
      sender_email: 'desk@practice.example',
    })
    await add('2027-01-06T09:00:00Z', { customer_name: 'Grace Hopper', price_cents: 4_000, is_online: true })
    await passTo('2027-01-05T09:00:00Z')
    const [mail] = sent
    expect(mail?.from).toEqual({ name: 'Maya at the desk', address: 'appointments@book.example' })
    expect(mail?.replyTo).toEqual({ name: 'Maya at the desk', address: 'desk@practice.example' })
    expect(mail?.subject).toBe(`${calendar.name}: Wednesday, January 6, 2027 Bcc: x@y.example`)
    expect(mail?.text).toContain('Dear Grace Hopper,')
    expect(mail?.text).toContain('see you on Wednesday, January 6, 2027 at 9:00 AM (GMT). {nonsense}')
    for (const fact of ['Online', '€40.00', 'BK-', '/cancel/', '/manage/']) {
      expect(mail?.text).toContain(fact)
    }
  })

  test('has the defaults of the product until the owner writes another', async () => {
    await add('2027-01-06T09:00:00Z', { customer_name: 'visit evil.example now' })
    await passTo('2027-01-05T09:00:00Z')
    const [mail] = sent
    expect(mail?.subject).toBe('Reminder: Your upcoming appointment')
    expect(mail?.from.name).toBe(calendar.name)
    expect(mail?.replyTo?.address).toBe(owner.email)
    // A name that could be a link is not sent to another person's address.
    expect(mail?.text).toContain('Hello there,')
    expect(mail?.text).not.toContain('evil.example')
  })

  test.each([
    ['cancelled', { status: 'cancelled' }],
    ['waiting for its payment', { status: 'pending_payment', payment_status: 'pending' }],
    ['a hold that ended', { hold_expires_at: new Date(TEST_MONDAY), released_at: new Date(TEST_MONDAY) }],
    ['booked later than the reminder would be', { created_at: new Date('2027-01-05T09:00:00Z') }],
  ] as const)('is not sent for what is %s', async (_why, values) => {
    await add('2027-01-06T09:00:00Z', values)
    await passTo('2027-01-06T08:00:00Z')
    expect(sent).toEqual([])
  })

  test('is sent for what is asked to be cancelled: it stands until the owner decides', async () => {
    await add('2027-01-06T09:00:00Z', { status: 'pending_cancellation' })
    await passTo('2027-01-05T09:00:00Z')
    expect(sent).toHaveLength(1)
  })

  test('is not sent to a customer without an address, nor when reminders are off', async () => {
    const id = await add('2027-01-06T09:00:00Z')
    const setEmail = 'update customers set email = $2 where calendar_id = $1'
    await meridian.database.execute(setEmail, [calendar.id, null])
    await passTo('2027-01-05T09:00:00Z')
    await meridian.database.execute(setEmail, [calendar.id, 'back@example.com'])
    await setReminders({ enabled: false })
    await passTo('2027-01-05T10:00:00Z')
    expect(sent).toEqual([])
    expect(await ledger(id)).toEqual([])
  })

  test('comes late after two hours without a worker, while the start is ahead, and never after it', async () => {
    await setReminders({ hours: 3 })
    await add('2027-01-05T09:00:00Z')
    await add('2027-01-05T13:00:00Z')
    // Reminders are due at 6:00 and 10:00, but the worker was down from 5:00 to 12:00.
    await passTo('2027-01-05T12:00:00Z')
    expect(sent.map(({ text }) => /1:00 PM|9:00 AM/.exec(text)?.[0])).toEqual(['1:00 PM'])
  })

  test('that was queued, but could not leave before the start, is dropped and not sent after it', async () => {
    const id = await add('2027-01-06T09:00:00Z')
    failure = new Error('The mail server answered 451 to RCPT')
    await passTo('2027-01-05T09:00:00Z')
    expect(await ledger(id)).toMatchObject([{ state: 'failed', sent_at: null }])
    failure = null
    nowMs = at('2027-01-06T09:00:00Z')
    await work()
    expect(await ledger(id)).toMatchObject([{ state: 'dropped', drop_reason: 'past', sent_at: null }])
    expect(sent).toHaveLength(1)
  })

  test('that failed is tried again, and only then said to be sent', async () => {
    const id = await add('2027-01-06T09:00:00Z')
    failure = new Error('The mail server answered 451 to RCPT')
    await passTo('2027-01-05T09:00:00Z')
    failure = null
    await passTo('2027-01-05T09:05:00Z')
    expect(await ledger(id)).toMatchObject([{ state: 'sent', attempts: 2 }])
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
  })

  test('is planned again when the appointment is restored, and not repeated when it was sent before', async () => {
    const cancelled = await add('2027-01-06T09:00:00Z')
    const reminded = await add('2027-01-06T08:00:00Z')
    await passTo('2027-01-05T08:00:00Z')
    expect(sent).toHaveLength(1)
    // The appointment is cancelled after the poll has queued the reminder and before the message is sent.
    nowMs = at('2027-01-05T09:00:00Z')
    await round()
    await setStatus('cancelled', cancelled, reminded)
    await work()
    expect(await ledger(cancelled)).toMatchObject([{ state: 'dropped', drop_reason: 'outdated' }])
    await setStatus('confirmed', cancelled, reminded)
    await passTo('2027-01-05T09:30:00Z')
    expect(await ledger(cancelled)).toMatchObject([{ state: 'sent', drop_reason: null }])
    expect(sent).toHaveLength(2)
  })

  test('moves with changed hours, whether or not it was queued, and is not repeated by them', async () => {
    const id = await add('2027-01-06T09:00:00Z')
    nowMs = at('2027-01-05T09:00:00Z')
    await round()
    await setReminders({ hours: 2 })
    await work()
    expect(await ledger(id)).toMatchObject([{ state: 'dropped', drop_reason: 'too_early' }])
    await passTo('2027-01-06T06:59:00Z')
    expect(sent).toEqual([])
    await passTo('2027-01-06T07:00:00Z')
    expect(sent).toHaveLength(1)
    await setReminders({ hours: 72 })
    await passTo('2027-01-06T07:10:00Z')
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['Europe/London', '2027-03-28T12:00:00Z', '2027-03-27T12:00:00Z', '1:00 PM (BST)'],
    ['Europe/London', '2027-10-31T12:00:00Z', '2027-10-30T12:00:00Z', '12:00 PM (GMT)'],
    ['America/New_York', '2027-11-07T14:00:00Z', '2027-11-06T14:00:00Z', '9:00 AM (EST)'],
  ])(
    'in %s at %s comes 24 elapsed hours before, at %s, over the change of the clocks',
    async (zone, start, dueAt, said) => {
      nowMs = at(start) - 30 * 24 * HOUR_MS
      await add(start, { time_zone: zone, created_at: new Date(nowMs) })
      await passTo(new Date(at(dueAt) - MINUTE_MS).toISOString())
      expect(sent).toEqual([])
      await passTo(dueAt)
      expect(sent).toHaveLength(1)
      expect(sent[0]?.text).toContain(said)
    },
  )
})

test('what the database calls due is what the decision calls due, whatever is stored', async () => {
  const stored = fc.oneof(
    fc.constant({}),
    fc.record(
      {
        enabled: fc.constantFrom<unknown>(true, false, null, 'no'),
        hours: fc.constantFrom<unknown>(1, 2, 24, 72, 0, 73, 2.5, '3', null, -1),
      },
      { requiredKeys: [] },
    ),
  )
  // Values within a minute of the limits.
  const minutes = fc.constantFrom(
    -60,
    -1,
    0,
    1,
    59,
    60,
    61,
    119,
    120,
    121,
    1439,
    1440,
    1441,
    4319,
    4320,
    4321,
  )
  const situation = fc.record({
    stored,
    startsInMinutes: minutes,
    bookedBeforeMinutes: fc.constantFrom(0, 1, 60, 1_440, 4_320, 10_000),
    movedBeforeMinutes: fc.constantFrom(null, 0, 60, 1_440),
    status: fc.constantFrom('confirmed', 'cancelled', 'pending_cancellation', 'pending_payment'),
    hasAddress: fc.boolean(),
  })
  const { db } = meridian.database
  await fc.assert(
    fc.asyncProperty(
      situation,
      async ({ stored, startsInMinutes, bookedBeforeMinutes, movedBeforeMinutes, status, hasAddress }) => {
        await db.deleteFrom('appointments').execute()
        const startsAtMs = TEST_MONDAY + startsInMinutes * MINUTE_MS
        const createdAtMs = TEST_MONDAY - bookedBeforeMinutes * MINUTE_MS
        const movedAtMs = movedBeforeMinutes === null ? null : TEST_MONDAY - movedBeforeMinutes * MINUTE_MS
        const agreedAtMs = movedAtMs ?? createdAtMs
        const moved =
          movedAtMs === null ? {} : { moved_at: new Date(movedAtMs), moved_from: new Date(startsAtMs - 1) }
        await db
          .updateTable('calendars')
          .set({ reminder_settings: JSON.stringify(stored) })
          .where('id', '=', calendar.id)
          .execute()
        const id = await addAppointment(meridian, calendar.id, {
          startsAt: new Date(startsAtMs).toISOString(),
          created_at: new Date(createdAtMs),
          status,
          ...moved,
        })
        if (!hasAddress) await meridian.database.execute('update customers set email = null')
        const rule = toReminderSettings(stored, { calendarName: 'x', mailFrom: 'y@z.example' })
        const decision = decideReminder({ status, startsAtMs, agreedAtMs, hasAddress }, rule, TEST_MONDAY)
        const isDue = decision.kind === 'planned' && decision.dueMs <= TEST_MONDAY
        expect(await listDueReminders(db, new Date(TEST_MONDAY), 10)).toEqual(isDue ? [id] : [])
      },
    ),
    { numRuns: 80 },
  )
})

function add(startsAt: string, values: Partial<Parameters<typeof addAppointment>[2]> = {}): Promise<string> {
  const created_at = new Date(TEST_MONDAY - 30 * 24 * HOUR_MS)
  return addAppointment(meridian, calendar.id, { startsAt, created_at, ...values })
}

async function book(body: Record<string, unknown>): Promise<void> {
  const answer = await bookAppointment(meridian, calendar.slug, body)
  expect(answer.statusCode, answer.body).toBe(201)
}

async function setReminders(settings: object): Promise<void> {
  await meridian.database.db
    .updateTable('calendars')
    .set({ reminder_settings: JSON.stringify(settings) })
    .where('id', '=', calendar.id)
    .execute()
}

async function setStatus(status: 'cancelled' | 'confirmed', ...ids: string[]): Promise<void> {
  await meridian.database.db.updateTable('appointments').set({ status }).where('id', 'in', ids).execute()
}

/** Moves an appointment at the current time of the test. */
async function move(id: string, starts_at: string): Promise<void> {
  meridian.clock.ms = nowMs
  const { starts_at: before } = await meridian.database.db
    .selectFrom('appointments')
    .select('starts_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    starts_at,
    expected_starts_at: before.toISOString(),
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Sets the clock to an instant, runs the poll of that minute, and works on the queue. */
async function passTo(instant: string): Promise<void> {
  nowMs = at(instant)
  await round()
  await work()
}

function round(): Promise<void> {
  const jobs = {
    insert: async (_trx: unknown, _job: unknown, payloads: readonly object[]) => {
      queued.push(...(payloads as typeof queued)) // The sweep queues no other jobs.
    },
  }
  return queueDueReminders({ db: meridian.database.db, now: () => nowMs, jobs })
}

/** Tries every queued message once. Messages that fail stay in the queue. */
async function work(): Promise<void> {
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
      if (failure !== null) throw failure
    },
    close: async () => {},
  }
  const log = { warn: () => {}, info: () => {}, error: () => {} }
  const deps = {
    db: meridian.database.db,
    now: () => nowMs,
    ...UNLIMITED_EMAIL_DEPS,
    mailer,
    origin: MAIL_ORIGIN,
    baseUrl: 'https://book.example',
    defaultTier: 'free' as const,
    log,
  }
  const jobs = queued
  queued = []
  for (const job of jobs) {
    await sendAppointmentMail(deps, job).catch(() => {
      queued.push(job)
    })
  }
}

function ledger(appointmentId: string) {
  return meridian.database.db
    .selectFrom('appointment_messages')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .execute()
}
