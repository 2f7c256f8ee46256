import { expect, test } from 'vitest'
import { MailRefusedError, type OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN, makeAppointmentMailFacts } from '#tests/support/appointment-mail-facts.ts'
import { sendClosedCalendarMail } from './closed-calendar.ts'
import { buildClosedProblem, DELIVERY_MAIL } from './delivery-problems.ts'

const CLOSED_AT = '2026-11-21T09:00:00.000Z'
const DAY_MS = 86_400_000
const FACTS = makeAppointmentMailFacts()

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
    'the calendar was closed',
  ]) {
    expect(mail?.text).toContain(part)
  }
  // There is no appointment any more that could be opened.
  expect(mail?.text).not.toContain('/settings')
})

type Problem = Parameters<typeof buildClosedProblem>[1]

/** One try of the job, and the mails to the owner that it queues. */
async function attempt(afterMs: number, failure: Error | null) {
  const sent: OutgoingMail[] = []
  const told: OutgoingMail[] = []
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
      if (failure !== null) throw failure
    },
    close: async () => {},
  }
  const deps = {
    now: () => Date.parse(CLOSED_AT) + afterMs,
    mailer,
    origin: MAIL_ORIGIN,
    log: { warn: () => {}, info: () => {}, error: () => {} },
    jobs: {
      send: async (job: { readonly name: string }, payload: object) => {
        expect(job.name).toBe(DELIVERY_MAIL.name)
        // Nothing else is queued here.
        told.push(buildClosedProblem({ origin: MAIL_ORIGIN }, payload as Problem))
      },
    },
  }
  const outcome = await sendClosedCalendarMail(deps, {
    kind: 'calendar_closed',
    facts: FACTS,
    closedAt: CLOSED_AT,
  }).then(
    () => 'done',
    () => 'to be tried again',
  )
  return { outcome, mail: sent[0], told }
}
