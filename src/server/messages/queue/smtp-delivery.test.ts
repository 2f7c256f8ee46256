import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { buildSmtpMailer } from '#server/integrations/smtp/adapter.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { startDrippingServer } from '#tests/support/dripping-server.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
} from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import { sendAppointmentMail } from './jobs.ts'
import { findMessage, insertMessages, listMessages } from './repository.ts'

let calendar: Calendar
const stops: (() => Promise<void>)[] = []

/**
 * The real adapter with real sockets and the ledger. The test runs each attempt itself, so that it need not wait for
 * any.
 */
setUpMeridian({ env: { ROLE: 'web' } })
beforeAll(async () => {
  calendar = await makeCalendar(meridian, await makeOwner(meridian))
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/**
 * How long the mailer waits for a server that does not answer: short if the server never answers, else longer than any
 * busy machine takes.
 */
const SHORT_MS = 300
const LONG_MS = 60_000
const NO_ANSWER = 'The mail server didn’t respond in time'

type Behaviour = readonly [what: string, reason: string, options: SMTPServerOptions]

const REFUSALS: readonly Behaviour[] = [
  [
    'refuses the recipient',
    'The mail server rejected this address (550): … is unknown here',
    { onRcptTo: (_address, _session, answer) => answer(refusal(550)) },
  ],
  [
    'refuses the text',
    'The mail server rejected the message (554): … is unknown here',
    {
      onData: (stream, _session, answer) => {
        stream.resume()
        stream.on('end', () => answer(refusal(554)))
      },
    },
  ],
]

const BAD_DAYS: readonly Behaviour[] = [
  [
    'wants it later',
    'The mail server hasn’t accepted the message yet (451): … is unknown here',
    { onMailFrom: (_address, _session, answer) => answer(refusal(451)) },
  ],
  [
    'does not let the operator in',
    'The mail server hasn’t accepted the message yet (535): … is unknown here',
    {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, answer) => answer(refusal(535)),
    },
  ],
  ['never answers the text', NO_ANSWER, { onData: (stream) => void stream.resume() }],
  ['never greets', NO_ANSWER, { onConnect: () => {} }],
]

test.each(REFUSALS)(
  'a server that %s ends it at once, and the ledger has its words without addresses: %s',
  async (_what, lastError, options) => {
    const message = await bookConfirmed()
    const { url } = await open(options)
    await send(message, url)
    expect(await read(message)).toMatchObject({
      state: 'given_up',
      attempts: 1,
      last_error: lastError,
      sent_at: null,
    })
  },
)

describe('the ledger says failed and why, and later sent with the same Message-ID', () => {
  test.each(BAD_DAYS)('after a server that %s: %s', async (_what, reason, options) => {
    const message = await bookConfirmed()
    const server = await open(options)
    const url = server.url.replace('//', '//user:password@')
    await expectFailure(message, url, reason)
    await expectFailure(message, url, reason)
    await expectSent(message, 3)
  })

  test('after a server that hangs up when it has the text: nobody knows whether it was taken', async () => {
    const message = await bookConfirmed()
    const texts: string[] = []
    const server = await open({
      onData: (stream) => {
        let text = ''
        stream.on('data', (chunk) => {
          text += String(chunk)
        })
        stream.on('end', () => {
          texts.push(text)
          server.cut()
        })
      },
    })
    await expectFailure(message, server.url, 'We couldn’t reach the mail server')
    const raw = await expectSent(message, 2)
    // If a message arrives twice, mail programs show one message, and it adds one appointment.
    expect(texts).toHaveLength(1)
    for (const text of [texts[0], raw]) expect(text).toContain(`Message-ID: <${message.id}@book.example>`)
  })

  test('after no server at all', async () => {
    const message = await bookConfirmed()
    const { url, stop } = await startSmtpServer()
    await stop()
    await expectFailure(message, url, 'We couldn’t reach the mail server')
    await expectSent(message, 2)
  })

  test('after a server that answers one byte at a time', async () => {
    const message = await bookConfirmed()
    const { url, stop } = await startDrippingServer(SHORT_MS / 6)
    stops.push(stop)
    await expectFailure(message, url, NO_ANSWER)
    await expectSent(message, 2)
  })
})

test('bookings are answered while the mail server is silent, and their messages leave when it speaks', async () => {
  const speaks = Promise.withResolvers<void>()
  const server = await open({ onConnect: (_session, answer) => void speaks.promise.then(() => answer()) })
  const patient = await startMeridian({ mailer: buildSmtpMailer({ url: server.url, timeoutMs: LONG_MS }) })
  stops.push(patient.stop)
  const its = await makeCalendar(patient, await makeOwner(patient))
  // Send more messages than are sent at the same time.
  const startMs = performance.now()
  const ids = await Promise.all(
    ['09:00', '10:00', '11:00', '12:00'].map((time) => bookAt(patient, its, time)),
  )
  // If one message had waited for the mail server, this would take as long as the mailer's time-out.
  expect(performance.now() - startMs).toBeLessThan(LONG_MS / 4)
  await waitUntil(async () => server.connectionCount() > 0)
  const list = async () =>
    (
      await Promise.all(
        ids.map((appointmentId) => listMessages(patient.database.db, { calendarId: its.id, appointmentId })),
      )
    ).flat()
  expect((await list()).map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'queued'))
  speaks.resolve()
  await waitUntil(async () => (await list()).every(({ state }) => state === 'sent'))
  const sent = server.received.map(({ parsed }) => parsed.messageId)
  expect(sent.sort()).toEqual((await list()).map(({ id }) => `<${id}@localhost>`).sort())
})

type Sent = { readonly id: string; readonly appointmentId: string }

let days = 10
/** Makes a booking whose confirmation is in the ledger but not sent yet, because no worker runs here. */
async function bookConfirmed(): Promise<Sent> {
  days += 1
  const appointmentId = await addAppointment(meridian, calendar.id, {
    startsAt: new Date(TEST_MONDAY + days * 86_400_000).toISOString(),
  })
  const revision = { sequence: 0, changedAt: new Date(TEST_MONDAY) }
  const { db } = meridian.database
  const message = { calendarId: calendar.id, id: randomUUID(), appointmentId, revision }
  await insertMessages(db, [{ ...message, kind: 'booking_confirmation', causedBy: 'customer' }])
  return { id: message.id, appointmentId }
}

async function bookAt(where: TestMeridian, { slug }: Calendar, time: string): Promise<string> {
  const answer = await bookAppointment(where, slug, { starts_at: `2027-01-08T${time}:00Z` })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

async function open(options: SMTPServerOptions = {}) {
  const server = await startSmtpServer(options)
  stops.push(async () => {
    server.cut()
    await server.stop()
  })
  return server
}

/** Runs the job once. */
async function send({ id }: Sent, url: string, timeoutMs = LONG_MS): Promise<void> {
  const mailer = buildSmtpMailer({ url, timeoutMs })
  try {
    await sendAppointmentMail(
      {
        db: meridian.database.db,
        now: () => TEST_MONDAY,
        ...UNLIMITED_EMAIL_DEPS,
        mailer,
        origin: MAIL_ORIGIN,
        baseUrl: 'https://book.example',
        defaultTier: 'free',
        log: { warn: () => {}, info: () => {}, error: () => {} },
      },
      { calendarId: calendar.id, messageId: id, repeat: 0 },
    )
  } finally {
    await mailer.close()
  }
}

/**
 * Expects that the attempt fails, so that the queue retries. The ledger contains the reason, and never says that the
 * message was sent.
 */
async function expectFailure(message: Sent, url: string, reason: string): Promise<void> {
  const before = await read(message)
  const timeoutMs = reason === NO_ANSWER ? SHORT_MS : LONG_MS
  await expect(send(message, url, timeoutMs)).rejects.toThrow()
  expect(await read(message)).toMatchObject({
    state: 'failed',
    attempts: (before?.attempts ?? 0) + 1,
    last_error: reason,
    sent_at: null,
  })
}

/** Expects that a working server gets the message at the first attempt, exactly once. Returns the message. */
async function expectSent(message: Sent, attempts: number): Promise<string> {
  const server = await open()
  await send(message, server.url)
  await send(message, server.url)
  expect(await read(message)).toMatchObject({ state: 'sent', attempts, last_error: null })
  const [mail, ...more] = server.received
  expect(more).toEqual([])
  expect(mail?.parsed.messageId).toBe(`<${message.id}@book.example>`)
  return mail?.raw ?? ''
}

function read({ id }: Sent) {
  return findMessage(meridian.database.db, { calendarId: calendar.id, messageId: id })
}

/** Builds a refusal whose text contains an address that must not be stored in the ledger. */
function refusal(responseCode: number): Error {
  return Object.assign(new Error('grace@example.com is unknown here'), { responseCode })
}
