import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { MailRefusedError, type OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import { buildClosedCalendarProblem, DELIVERY_MAIL_JOB } from './delivery-jobs.ts'
import { APPOINTMENT_MAIL_JOB } from './message-job.ts'
import { sendClosedCalendarMail } from './send-closed-calendar-mail.ts'

const CLOSED_AT = '2026-11-21T09:00:00.000Z'
const DAY_MS = 86_400_000
const FACTS = makeAppointmentMailContent()

const SENDER = { ownerId: 'owner', email: FACTS.owner.email, standing: 'new' } as const

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('of a closed calendar a customer is told under one Message-ID, however often it is tried', async () => {
  const attempts = [await attempt(1, new Error('connect ECONNREFUSED')), await attempt(2, null)]
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['to be tried again', 'done'])
  expect(new Set(attempts.map(({ mail }) => mail?.messageId)).size).toBe(1)
  expect(attempts.flatMap(({ told }) => told)).toEqual([])
})

test.each([
  [
    'is refused for good',
    0,
    new MailRefusedError({ code: 550, command: 'RCPT', words: 'who?', isFinal: true }),
  ],
  ['failed for three days', 3 * DAY_MS, new Error('connect ECONNREFUSED')],
])('the owner is told whom to reach by themselves when it %s', async (_how, afterMs, failure) => {
  const { outcome, told } = await attempt(afterMs, failure)
  expect(outcome).toBe('done')
  const [mail, ...others] = told
  expect(others).toEqual([])
  expect(mail?.to.address).toBe(FACTS.owner.email)
  for (const part of [
    FACTS.customer.name,
    FACTS.customer.email,
    FACTS.bookingReference,
    'when the calendar closed',
  ]) {
    expect(mail?.text).toContain(part)
  }
  // The email must not link to the appointment, because it no longer exists.
  expect(mail?.text).not.toContain('/settings')
})

test('a message without room waits in the queue, and a wait is no failure', async () => {
  const { mail, later, told } = await attempt(0, null, { waitSeconds: 86_400 })
  expect([mail, told]).toEqual([undefined, []])
  const [waits] = later
  expect(waits?.options).toEqual({ afterSeconds: 86_400 })
  // The three days of retries start from this time.
  expect(waits?.job).toMatchObject({
    facts: FACTS,
    closedAt: new Date(Date.parse(CLOSED_AT) + DAY_MS).toISOString(),
  })
})

test('one that would have room only after the appointment began is told to its owner instead', async () => {
  const beforeStartMs = Date.parse(FACTS.startsAt) - Date.parse(CLOSED_AT) - DAY_MS
  const { mail, later, told } = await attempt(beforeStartMs, null, { waitSeconds: 86_400 })
  expect([mail, later]).toEqual([undefined, []])
  expect(told).toHaveLength(1)
  expect(told[0]?.text).toContain('You’ve reached today’s email limit.')
})

test('whoever has stopped emails gets none, nor does one whose appointment is over', async () => {
  const key = UNLIMITED_EMAIL_DEPS.recipientKeys.keyOf(FACTS.customer.email ?? '')
  const row = { recipient_key: key, standing: 'stopped', since: new Date() } as const
  await database.db.insertInto('email_recipients').values(row).execute()
  expect(await attempt(0, null)).toMatchObject({ outcome: 'done', told: [], later: [], mail: undefined })
  await database.db.deleteFrom('email_recipients').execute()
  expect((await attempt(0, null)).mail?.subject).toMatch(/^Appointment cancelled/)
  const overMs = Date.parse(FACTS.endsAt) - Date.parse(CLOSED_AT)
  expect((await attempt(overMs, null)).mail).toBeUndefined()
})

type Problem = Parameters<typeof buildClosedCalendarProblem>[1]

/** Runs the job once. Returns the sent messages, the queued messages to the owner, and the jobs that are queued for later. */
async function attempt(
  afterMs: number,
  failure: Error | null,
  { waitSeconds = 0 }: { readonly waitSeconds?: number } = {},
) {
  const sent: OutgoingMail[] = []
  const told: OutgoingMail[] = []
  const later: { job: object; options: unknown }[] = []
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
      if (failure !== null) throw failure
    },
    close: async () => {},
  }
  const deps = {
    db: database.db,
    ...UNLIMITED_EMAIL_DEPS,
    budgets: {
      ...UNLIMITED_EMAIL_DEPS.budgets,
      spend: async () => (waitSeconds === 0 ? null : { budget: 'email_owner' as const, waitSeconds }),
    },
    baseUrl: 'https://book.example',
    defaultTier: 'free' as const,
    now: () => Date.parse(CLOSED_AT) + afterMs,
    mailer,
    origin: MAIL_ORIGIN,
    log: { warn: () => {}, info: () => {}, error: () => {} },
    jobs: {
      send: async (job: { readonly name: string }, payload: object, options?: unknown) => {
        if (job.name === APPOINTMENT_MAIL_JOB.name) later.push({ job: payload, options })
        else {
          expect(job.name).toBe(DELIVERY_MAIL_JOB.name)
          // The job queues no other kind of message.
          told.push(buildClosedCalendarProblem({ origin: MAIL_ORIGIN }, payload as Problem))
        }
      },
    },
  }
  const outcome = await sendClosedCalendarMail(deps, {
    kind: 'calendar_closed',
    facts: FACTS,
    closedAt: CLOSED_AT,
    counted: { calendarId: 'calendar', sender: SENDER },
  }).then(
    () => 'done',
    () => 'to be tried again',
  )
  return { outcome, mail: sent[0], told, later }
}
