import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MessageKind, RECIPIENT_OF_MESSAGE_KIND } from '#contract/messages/messages.ts'
import { MailRefusedError, type OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointment, type StoredAppointment } from '#tests/support/stored-rows.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import { sendAppointmentMail } from './jobs.ts'
import { findMessage, insertMessages } from './repository.ts'

const sent: OutgoingMail[] = []
let nowMs = TEST_MONDAY
let failure: Error | null = null

/** These tests send the messages themselves, so that they can be late and fail. */
setUpCalendar({ env: { ROLE: 'web' }, calendar: 'file' })
beforeEach(() => {
  sent.length = 0
  nowMs = TEST_MONDAY
  failure = null
})

const HOUR_MS = 3_600_000
const CHANGED_AT = new Date('2027-01-04T08:00:00.000Z')

describe('a message that comes late', () => {
  test('says nothing of a booking that was cancelled meanwhile', async () => {
    const appointmentId = await add({ status: 'cancelled', sequence: 1 })
    await send(await write('booking_confirmation', appointmentId))
    await send(await write('owner_booking_notice', appointmentId))
    expect(sent).toEqual([])
  })

  test('confirms to the customer nothing that is over, and still tells the owner who came', async () => {
    const appointmentId = await add()
    nowMs = Date.parse('2027-03-01T00:00:00Z')
    const confirmation = await write('booking_confirmation', appointmentId)
    await send(confirmation)
    expect(sent).toEqual([])
    expect(await read(confirmation)).toMatchObject({ state: 'dropped', drop_reason: 'past' })
    await send(await write('owner_booking_notice', appointmentId))
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['restored', { status: 'cancelled', sequence: 3 }],
    ['owner_restored', { status: 'cancelled', sequence: 3 }],
    ['cancelled', { status: 'confirmed', sequence: 3 }],
    ['owner_cancelled', { status: 'confirmed', sequence: 3 }],
    ['cancelled', { status: 'cancelled', sequence: 4 }],
    ['cancellation_denied', { status: 'cancelled', sequence: 2 }],
    ['cancellation_denied', { status: 'pending_cancellation', sequence: 2 }],
    ['owner_cancellation_request', { status: 'confirmed', sequence: 2 }],
  ] as const)('%s says nothing when it stands at %j, and the ledger says why', async (kind, values) => {
    const messageId = await write(kind, await add(values), 2)
    await send(messageId)
    expect(sent).toEqual([])
    expect(await read(messageId)).toMatchObject({ state: 'dropped', drop_reason: 'outdated', attempts: 0 })
  })
})

describe('a message that fails', () => {
  test('is tried again, is the same message each time whatever happened to the row, and is sent once', async () => {
    const appointmentId = await add({ status: 'pending_cancellation' })
    const messageId = await write('owner_cancellation_request', appointmentId)
    failure = refusal(451, false)
    await expect(send(messageId)).rejects.toThrow('451')
    expect(await read(messageId)).toMatchObject({
      state: 'failed',
      attempts: 1,
      last_error: 'The mail server hasn’t accepted the message yet (451): says who',
      sent_at: null,
    })
    await meridian.database.db
      .updateTable('appointments')
      .set({ updated_at: new Date(TEST_MONDAY + 60_000) })
      .where('id', '=', appointmentId)
      .execute()
    nowMs += HOUR_MS
    await expect(send(messageId)).rejects.toThrow('451')
    failure = null
    await send(messageId)
    await send(messageId)
    const [first, second, third, ...more] = sent
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(more).toEqual([])
    expect(third?.messageId).toBe(`<${messageId}@book.example>`)
    expect(await read(messageId)).toMatchObject({ state: 'sent', attempts: 3, last_error: null })
  })

  test('and was refused for good is given up at once', async () => {
    const messageId = await write('booking_confirmation', await add())
    failure = refusal(550, true)
    await send(messageId)
    expect(await read(messageId)).toMatchObject({
      state: 'given_up',
      attempts: 1,
      last_error: 'The mail server rejected this address (550): says who',
    })
    await send(messageId)
    expect(sent).toHaveLength(1)
  })

  test('is given up after three days of failures, is then never tried again, and nothing sends it twice', async () => {
    const messageId = await write('booking_confirmation', await add({ startsAt: '2027-06-15T09:00:00Z' }))
    failure = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:25'), { code: 'ECONNREFUSED' })
    await expect(send(messageId)).rejects.toThrow()
    nowMs += 72 * HOUR_MS - 1
    await expect(send(messageId)).rejects.toThrow()
    expect(await read(messageId)).toMatchObject({ state: 'failed', attempts: 2 })
    nowMs += 1
    await send(messageId)
    expect(await read(messageId)).toMatchObject({
      state: 'given_up',
      attempts: 3,
      // The error contains no details of the operator's machines.
      last_error: 'We couldn’t reach the mail server',
    })
    failure = null
    sent.length = 0
    await send(messageId)
    expect(sent).toEqual([])
  })
})

describe('the owner’s switches', () => {
  const MESSAGES = [
    ['notify_bookings', 'owner_booking_notice', 'confirmed'],
    ['notify_bookings', 'owner_restored', 'confirmed'],
    ['notify_bookings', 'owner_confirmed', 'confirmed'],
    ['notify_cancellation_requests', 'owner_cancellation_request', 'pending_cancellation'],
    ['notify_cancellations', 'owner_cancelled', 'cancelled'],
  ] as const

  test.each(MESSAGES)('%s decides about %s when it is sent', async (name, kind, status) => {
    const unwanted = await write(kind, await add({ status }))
    await turn({ [name]: false })
    await send(unwanted)
    expect(sent).toEqual([])
    expect(await read(unwanted)).toMatchObject({ state: 'dropped', drop_reason: 'unwanted' })
    await turn({ notify_bookings: false, notify_cancellation_requests: false, notify_cancellations: false })
    await turn({ [name]: true })
    await send(await write(kind, await add({ status })))
    expect(sent.map(({ to }) => to.address)).toEqual([owner.email])
    await turn({ notify_bookings: true, notify_cancellation_requests: true, notify_cancellations: true })
  })

  test('are named in what they decide about, and in nothing that customers get', async () => {
    for (const [, kind, status] of MESSAGES) await send(await write(kind, await add({ status })))
    await send(await write('booking_confirmation', await add()))
    const links = sent.map(({ headers }) => headers['List-Unsubscribe'])
    const link = '<https://book.example/profile?tab=notifications>'
    expect(links).toEqual([...MESSAGES.map(() => link), undefined])
  })

  test('say nothing about messages to customers', async () => {
    await turn({ notify_bookings: false, notify_cancellations: false })
    await send(await write('booking_confirmation', await add()))
    await send(await write('cancelled', await add({ status: 'cancelled' })))
    expect(sent).toHaveLength(2)
    await turn({ notify_bookings: true, notify_cancellations: true })
  })

  async function turn(switches: Partial<Record<(typeof MESSAGES)[number][0], boolean>>): Promise<void> {
    const { db } = meridian.database
    await db.updateTable('profiles').set(switches).where('id', '=', owner.id).execute()
  }
})

test('every message there is can be built from a stored appointment and names its recipient', async () => {
  for (const kind of Object.keys(RECIPIENT_OF_MESSAGE_KIND) as MessageKind[]) {
    const isCancelled = kind === 'cancelled' || kind === 'owner_cancelled'
    const status = isCancelled
      ? 'cancelled'
      : kind === 'owner_cancellation_request'
        ? 'pending_cancellation'
        : kind === 'email_code'
          ? 'pending_payment'
          : 'confirmed'
    const appointmentId = await add({ status })
    if (kind === 'reminder') continue
    const messageId = await write(kind, appointmentId)
    await send(messageId)
    expect((await read(messageId))?.state, kind).toBe('sent')
    const to = sent.at(-1)?.to.address
    expect(to === owner.email, kind).toBe(RECIPIENT_OF_MESSAGE_KIND[kind] === 'owner')
  }
})

let days = 0
function add(values: Partial<StoredAppointment> = {}): Promise<string> {
  days += 1
  const startsAt = new Date(Date.parse('2027-01-10T09:00:00Z') + days * 86_400_000).toISOString()
  return addAppointment(meridian, calendar.id, { startsAt, ...values })
}

/** Adds a message to the ledger without queuing it. Returns its id. */
async function write(kind: MessageKind, appointmentId: string, sequence?: number): Promise<string> {
  const { db } = meridian.database
  const appointment = await db
    .selectFrom('appointments')
    .select('sequence')
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow()
  const isBooking = kind === 'booking_confirmation' || kind === 'owner_booking_notice'
  const revision = {
    sequence: sequence ?? (isBooking ? 0 : appointment.sequence),
    changedAt: CHANGED_AT,
  }
  const id = randomUUID()
  await insertMessages(db, [
    { calendarId: calendar.id, id, appointmentId, kind, causedBy: 'customer', revision },
  ])
  return id
}

function refusal(code: number, isFinal: boolean): MailRefusedError {
  return new MailRefusedError({ code, command: 'RCPT', words: 'says who', isFinal })
}

function read(messageId: string) {
  return findMessage(meridian.database.db, { calendarId: calendar.id, messageId })
}

function send(messageId: string): Promise<void> {
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
      if (failure !== null) throw failure
    },
    close: async () => {},
  }
  return sendAppointmentMail(
    {
      db: meridian.database.db,
      now: () => nowMs,
      ...UNLIMITED_EMAIL_DEPS,
      mailer,
      origin: MAIL_ORIGIN,
      baseUrl: 'https://book.example',
      defaultTier: 'free',
      log: { warn: () => {}, info: () => {}, error: () => {} },
    },
    { calendarId: calendar.id, messageId, repeat: 0 },
  )
}
