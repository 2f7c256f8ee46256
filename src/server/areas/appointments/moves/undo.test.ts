import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  claimHeldMessage,
  lockHeldMessages,
  withdrawMessages,
} from '#server/messages/queue/held-message-repository.ts'
import { sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, TEST_MONDAY } from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'

const NINE = '2027-01-08T09:00:00.000Z'
const TEN = '2027-01-08T10:00:00.000Z'
const ELEVEN = '2027-01-08T11:00:00.000Z'

let id: string

// Start no workers, because each test decides when an email is sent.
setUpCalendar({ undoSeconds: 30, hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  id = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json().id
})

describe('a move that is taken back (rule A18)', () => {
  test('before its message leaves tells nobody, raises SEQUENCE all the same, and the history has both', async () => {
    await sendAll()
    await move(NINE, TEN)
    meridian.clock.ms += 20_000
    expect((await move(TEN, NINE)).json()).toMatchObject({ starts_at: NINE, email: 'none' })
    expect(await listLedger()).toEqual([
      ['booking_confirmation', 'sent'],
      ['moved', 'dropped'],
      ['owner_booking_notice', 'sent'],
    ])
    expect(await read()).toMatchObject({ sequence: 2, moved_at: null, moved_from: null })
    expect(await readHistory()).toEqual([
      expect.stringContaining('You moved the appointment back to Friday, January 8, 2027, 9:00 AM'),
      expect.stringContaining('You moved the appointment from Friday, January 8, 2027, 9:00 AM'),
    ])
  })

  test('lets out the confirmation that had not left yet, and the one that was dropped meanwhile', async () => {
    await move(NINE, TEN)
    const [confirmation] = await listMessages('booking_confirmation')
    await send(confirmation)
    expect((await listMessages('booking_confirmation'))[0]).toMatchObject({ state: 'dropped' })
    await move(TEN, NINE)
    await sendAll()
    expect(await listLedger()).toEqual([
      ['booking_confirmation', 'sent'],
      ['moved', 'dropped'],
      ['owner_booking_notice', 'sent'],
    ])
    expect(mailsOf('Booking confirmed')).toHaveLength(1)
  })

  test('keeps the reminder that was due in between', async () => {
    await sendAll()
    await move(NINE, TEN)
    await move(TEN, NINE)
    const due = `select coalesce(moved_at, created_at) as agreed from appointments where id = $1`
    const { rows } = await meridian.database.execute(due, [id])
    expect(rows[0]?.agreed).toEqual(new Date(TEST_MONDAY))
  })

  test('after its message has left tells the customer of the way back', async () => {
    await sendAll()
    await move(NINE, TEN)
    await sendAll()
    expect((await move(TEN, NINE)).json()).toMatchObject({ email: 'queued' })
    await sendAll()
    expect(mailsOf('Appointment moved')).toHaveLength(2)
  })

  test('is one message of two moves: the last one, from the time that the customer knew', async () => {
    await sendAll()
    await move(NINE, TEN)
    await move(TEN, ELEVEN)
    await sendAll()
    const mails = mailsOf('Appointment moved')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toContain('11:00 AM')
    expect(mails[0]?.text).toContain('It was previously on Friday, January 8, 2027 at 9:00 AM')
  })

  test('is not taken back by somebody else: who made the move knows it', async () => {
    await sendAll()
    const moved = await moveByCustomer(NINE, TEN)
    expect(moved.statusCode, moved.body).toBe(200)
    expect((await move(TEN, NINE)).json()).toMatchObject({ email: 'queued' })
    await sendAll()
    expect(mailsOf('Appointment moved').map(({ to }) => to.address)).toEqual(['grace@example.com'])
  })

  test('cannot be sent and taken back at once: whoever takes the message first decides', async () => {
    await sendAll()
    await move(NINE, TEN)
    const [message] = await listMessages('moved')
    const job = { calendarId: calendar.id, messageId: message?.id ?? '', repeat: 0 }
    expect(await claimHeldMessage(meridian.database.db, job)).toBe(true)
    expect(await claimHeldMessage(meridian.database.db, job)).toBe(false)
    const held = { calendarId: calendar.id, appointmentId: id, causedBy: 'owner', sequence: 1 } as const
    await inTransaction(meridian.database.db, async (trx) => {
      expect(await lockHeldMessages(trx, held)).toBeNull()
      await withdrawMessages(trx, calendar.id, { ids: [], at: new Date(TEST_MONDAY) })
    })
    // The email about the first move is already being sent, so the move back needs an email too.
    expect((await move(TEN, NINE)).json()).toMatchObject({ email: 'queued' })
  })
})

describe('what the messages after a move say that its customer has not heard of (rule A18)', () => {
  test('a move of a customer is not taken back when one of its two messages has left', async () => {
    await sendAll()
    await moveByCustomer(NINE, TEN)
    const [toCustomer] = await listMessages('moved')
    await send(toCustomer)
    expect((await moveByCustomer(TEN, NINE)).json()).toMatchObject({ email: 'queued' })
    await sendAll()
    expect(mailsOf('Appointment moved').map(({ subject }) => subject)).toEqual([
      expect.stringContaining('10:00 AM'),
      expect.stringContaining('9:00 AM'),
    ])
  })

  test('a cancellation names the time that was moved just before', async () => {
    await sendAll()
    await move(NINE, TEN)
    await act('cancel')
    await sendAll()
    const [mail] = mailsOf('Appointment cancelled')
    expect(mail?.subject).toContain('10:00 AM')
    expect(mail?.text).toContain('It was previously on Friday, January 8, 2027 at 9:00 AM (GMT).')
    expect(mailsOf('Appointment moved')).toEqual([])
  })

  test('an appointment that was moved, cancelled and restored at once has a new time, and the time before is named', async () => {
    await sendAll()
    await move(NINE, TEN)
    await act('cancel')
    await act('restore')
    await sendAll()
    const [mail] = mailsOf('Appointment restored')
    expect(mail?.subject).toContain('10:00 AM')
    expect(mail?.text).toContain(
      'restored and has a new time. It was previously on Friday, January 8, 2027 at 9:00 AM (GMT).',
    )
    expect(mailsOf('Appointment cancelled')).toEqual([])
  })

  test('the owner reads which time a customer moved and then cancelled', async () => {
    await sendAll()
    await moveByCustomer(NINE, TEN)
    await act('cancel')
    await sendAll()
    const mail = meridian.mails.findLast(({ subject }) => subject.startsWith('Appointment cancelled: Grace'))
    expect(mail?.text).toContain('It was previously on Friday, January 8, 2027 at 9:00 AM (GMT).')
  })

  test('a message that could not be sent is followed by one that names the time before both moves', async () => {
    await sendAll()
    await move(NINE, TEN)
    const [moved] = await listMessages('moved')
    await expect(send(moved, meridian.deps, new Error('no mail server'))).rejects.toThrow()
    await move(TEN, ELEVEN)
    await sendAll()
    const [mail] = mailsOf('Appointment moved')
    expect(mail?.subject).toContain('11:00 AM')
    expect(mail?.text).toContain('It was previously on Friday, January 8, 2027 at 9:00 AM (GMT).')
  })

  test('a time of which the customer was told is not named again', async () => {
    await sendAll()
    await move(NINE, TEN)
    await sendAll()
    await act('cancel')
    await act('restore')
    await sendAll()
    const [mail] = mailsOf('Appointment restored')
    expect(mail?.text).toContain('takes place at the original time.')
    expect(mail?.text).not.toContain('It was previously on')
  })
})

describe('a move of which the customer is not told (rule A18)', () => {
  test('lets out the confirmation that had not left yet, with the new time', async () => {
    expect((await moveQuietly(NINE, TEN)).json()).toMatchObject({ email: 'none' })
    await sendAll()
    expect(await listLedger()).toEqual([
      ['booking_confirmation', 'sent'],
      ['owner_booking_notice', 'sent'],
    ])
    expect(mailsOf().map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Booking confirmed.*10:00 AM/),
    ])
  })

  test('lets out the confirmation that was dropped for the message about an earlier move, which is not sent', async () => {
    await move(NINE, TEN)
    const [confirmation] = await listMessages('booking_confirmation')
    await send(confirmation)
    await moveQuietly(TEN, ELEVEN)
    await sendAll()
    expect(await listLedger()).toEqual([
      ['booking_confirmation', 'sent'],
      ['moved', 'dropped'],
      ['owner_booking_notice', 'sent'],
    ])
    expect(mailsOf()[0]?.subject).toContain('11:00 AM')
  })

  test('sends what its customer caused just before, who then cannot take it back', async () => {
    await sendAll()
    const before = mailsOf().length
    await moveByCustomer(NINE, TEN)
    const early = await listMessages('moved')
    await moveQuietly(TEN, ELEVEN)
    // A worker that has already fetched the job of the held message leaves it to the second job.
    expect(await countJobs(early[0])).toBe(2)
    await sendAll()
    expect(mailsOf().slice(before)).toMatchObject([{ subject: expect.stringContaining('11:00 AM') }])
    expect((await moveByCustomer(ELEVEN, NINE)).json()).toMatchObject({ email: 'queued' })
  })

  test('leaves alone what has left', async () => {
    await sendAll()
    const before = meridian.mails.length
    await moveQuietly(NINE, TEN)
    await sendAll()
    expect(meridian.mails).toHaveLength(before)
  })

  test('while a worker looks at the confirmation does not drop it', async () => {
    const [confirmation] = await listMessages('booking_confirmation')
    let hasMoved = false
    const db = meridian.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        // Move the appointment after the worker has read the message, and before it reads the appointment.
        if (!hasMoved) {
          hasMoved = true
          await moveQuietly(NINE, TEN)
        }
        return result
      },
    })
    await send(confirmation, { ...meridian.deps, db })
    expect(mailsOf('Booking confirmed')).toMatchObject([{ subject: expect.stringContaining('10:00 AM') }])
  })
})

function moveQuietly(from: string, to: string): Promise<LightMyRequestResponse> {
  return move(from, to, { notify_customer: false })
}

function move(from: string, to: string, options: object = {}): Promise<LightMyRequestResponse> {
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    expected_starts_at: from,
    starts_at: to,
    outside_hours: true,
    ...options,
  })
}

async function act(action: 'cancel' | 'restore'): Promise<void> {
  const answer = await sendAppointmentAction({ meridian, owner, calendar }, id, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}

function moveByCustomer(from: string, to: string): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
    expected_starts_at: from,
    starts_at: to,
  })
}

type Ledger = { readonly id: string; readonly kind: string; readonly state: string; readonly repeat: number }

async function listMessages(kind?: string): Promise<Ledger[]> {
  const text = `select id, kind, state, repeat from appointment_messages where appointment_id = $1 order by kind, sequence`
  const { rows } = await meridian.database.execute(text, [id])
  return (rows as Ledger[]).filter((row) => kind === undefined || row.kind === kind)
}

async function listLedger() {
  return (await listMessages()).map(({ kind, state }) => [kind, state])
}

async function countJobs(message: Ledger | undefined): Promise<number> {
  const text = `select count(*)::int as count from pgboss.job where data->>'messageId' = $1`
  const { rows } = await meridian.database.execute(text, [message?.id])
  return Number(rows[0]?.count)
}

async function send(message: Ledger | undefined, deps = meridian.deps, failure?: Error): Promise<void> {
  const mailer = {
    send: async (mail: (typeof meridian.mails)[number]) => {
      if (failure !== undefined) throw failure
      meridian.mails.push(mail)
    },
    close: async () => {},
  }
  const job = { calendarId: calendar.id, messageId: message?.id ?? '', repeat: message?.repeat ?? 0 }
  await sendAppointmentMail({ ...deps, mailer }, job)
}

/** Sends all messages, as the workers do after 30 seconds. */
async function sendAll(): Promise<void> {
  for (const message of await listMessages()) await send(message)
}

/** Lists the emails to the customer, recognised by the signed link that only they contain. */
function mailsOf(subject = '') {
  const link = `/manage/${manageTokenOf(meridian, id)}`
  return meridian.mails.filter((mail) => mail.subject.startsWith(subject) && mail.text.includes(link))
}

async function read() {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['sequence', 'moved_at', 'moved_from'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function readHistory(): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}
