import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { storeRecipientStatus } from '#server/messages/queue/recipient-repository.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  TEST_PASSWORD,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import {
  joinFullyBookedCalendar,
  joinWaitingList,
  joinWaitingListAndConfirm,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { queueClosedListMails, sendClosedListMail } from './closed-list-mail.ts'
import { CLOSED_LIST_MAIL_JOB, type ClosedListJob } from './job-definitions.ts'

let owner: TestOwner
let calendar: Calendar

setUpMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
})

/** Preferences for evenings, when the calendar is closed, so that nothing is offered. */
const EVENINGS = { day_parts: ['evening'] }

test('a waiting customer gets one email when the calendar is deleted, whatever the number of their requests', async () => {
  const [ada, bob] = ['ada@example.com', 'bob@example.com']
  await joinWaitingListAndConfirm(meridian, calendar.slug, { name: 'Ada', email: ada, ...EVENINGS })
  await joinWaitingListAndConfirm(meridian, calendar.slug, {
    name: 'Ada',
    email: ada,
    ...EVENINGS,
    weekdays: [1],
  })
  await joinFullyBookedCalendar(meridian, calendar.slug, { name: 'Bob', email: bob })
  await waitForOffer(meridian, bob)
  await removeCalendar()
  await waitUntilEmailsSent(meridian.database)
  const mails = meridian.mails.filter(isAboutClosing)
  expect(mails.map(({ to }) => to.address).sort()).toEqual([ada, bob])
  const [mail] = mails
  expect(mail?.text).toContain('The calendar has closed, and so has its waiting list.')
  expect(mail?.replyTo?.address).toBe(owner.email)
  // The request's page was deleted, so the email must not link to it.
  expect(mail?.text).not.toContain('/waiting/')
  expect(mail?.headers).not.toHaveProperty('List-Unsubscribe')
})

test('customers who never confirmed, who left, or whose last day is over get no email', async () => {
  await joinWaitingList(meridian, calendar.slug, { email: 'unconfirmed@example.com', ...EVENINGS })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: 'over@example.com', ...EVENINGS })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: 'left@example.com', ...EVENINGS })
  await meridian.database.execute(
    `update waiting_entries set valid_until = $2 where calendar_id = $1 and customer_email = 'over@example.com'`,
    [calendar.id, new Date(TEST_MONDAY)],
  )
  await meridian.database.execute(
    `update waiting_entries set state = 'removed', ended_at = $2
     where calendar_id = $1 and customer_email = 'left@example.com'`,
    [calendar.id, new Date(TEST_MONDAY)],
  )
  expect(await listTold()).toEqual([])
})

test('a customer with an open offer gets the email, even after the last day of the request', async () => {
  await joinFullyBookedCalendar(meridian, calendar.slug, { email: 'offered@example.com' })
  await waitForOffer(meridian, 'offered@example.com')
  await meridian.database.execute('update waiting_entries set valid_until = $2 where calendar_id = $1', [
    calendar.id,
    new Date(TEST_MONDAY),
  ])
  expect((await listTold()).flat()).toEqual(['offered@example.com'])
})

test('a customer with an appointment on the calendar also gets the email about the appointment', async () => {
  const email = 'both@example.com'
  await bookAppointment(meridian, calendar.slug, {
    starts_at: '2027-01-05T10:00:00Z',
    customer: { name: 'Ada', email },
  })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email, ...EVENINGS })
  await removeCalendar()
  await meridian.waitForMail((mail) => mail.to.address === email && isAboutClosing(mail))
  await meridian.waitForMail(({ to, subject }) => to.address === email && /cancelled/i.test(subject))
})

test('waiting customers also get the email when the account is deleted', async () => {
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: 'carl@example.com', ...EVENINGS })
  const { cookie } = owner
  const deleted = await meridian.request({
    method: 'DELETE',
    url: '/api/profile',
    cookie,
    payload: { password: TEST_PASSWORD },
  })
  expect(deleted.statusCode, deleted.body).toBe(204)
  await meridian.waitForMail((mail) => mail.to.address === 'carl@example.com' && isAboutClosing(mail))
})

test('a long list is read in batches of 500 addresses, and each address gets one email in any spelling', async () => {
  await meridian.database.execute(
    `insert into waiting_entries (calendar_id, id, state, added_by, customer_name, customer_email, time_zone,
       appointment_type_name, from_date, to_date, weekdays, day_parts, created_at, joined_at, valid_until)
     select $1, gen_random_uuid(), 'waiting', 'customer', 'Ada',
       case copy when 1 then 'Ada-' else ' ada-' end || person || '@example.com', 'Europe/London',
       null, '2027-01-04', '2027-01-24', '{1}', '{evening}', $2, $2, '2027-01-25T00:00:00Z'
     from generate_series(1, 900) as person, generate_series(1, 2) as copy`,
    [calendar.id, new Date(TEST_MONDAY)],
  )
  const batches = await listTold()
  expect(batches.map((batch) => batch.length)).toEqual([500, 400])
  expect(new Set(batches.flat()).size).toBe(900)
})

test('no email is sent to an unsubscribed address, or after the last day of the request', async () => {
  const job = await makeJob()
  expect(await send(job)).toMatchObject({
    sent: [{ to: { address: job.content.customer.email } }],
    later: [],
  })
  meridian.clock.ms = Date.parse('2027-01-24T23:59:59Z')
  expect((await send(job)).sent).toHaveLength(1)
  meridian.clock.ms += 1_000
  expect(await send(job)).toEqual({ sent: [], later: [] })
  meridian.clock.ms = TEST_MONDAY
  const recipient_key = UNLIMITED_EMAIL_DEPS.recipientKeys.keyOf(job.content.customer.email)
  const standing = { recipient_key, standing: 'stopped', since: new Date(TEST_MONDAY) } as const
  await storeRecipientStatus(meridian.database.db, standing)
  expect(await send(job)).toEqual({ sent: [], later: [] })
})

test('an email over a rate limit waits in the queue with its full text', async () => {
  const job = await makeJob()
  expect(await send(job, { waitSeconds: DAY_MS / 1_000 })).toEqual({
    sent: [],
    later: [{ name: CLOSED_LIST_MAIL_JOB.name, job, options: { afterSeconds: DAY_MS / 1_000 } }],
  })
})

test('a failed email is retried with the same Message-ID and does not count toward the limits', async () => {
  const job = await makeJob()
  let uncounted = 0
  const uncount = async () => {
    uncounted += 1
  }
  const failing = { uncount, failure: new Error('connect ECONNREFUSED') }
  await expect(send(job, failing)).rejects.toThrow('ECONNREFUSED')
  expect(uncounted).toBeGreaterThan(0)
  const [first, second] = [await send(job), await send(job)]
  expect(first.sent[0]?.messageId).toBe(second.sent[0]?.messageId)
})

function isAboutClosing({ subject }: OutgoingMail): boolean {
  return /^The waiting list of .* has closed$/.test(subject)
}

async function removeCalendar(): Promise<void> {
  const removed = await owner.delete(`/api/calendars/${calendar.id}`)
  expect(removed.statusCode, removed.body).toBe(204)
}

/** Lists the jobs that a deletion would queue, batch by batch, without deleting anything. */
async function listJobs(): Promise<ClosedListJob[][]> {
  const batches: ClosedListJob[][] = []
  const jobs = {
    ...meridian.deps.jobs,
    insert: async (_trx: unknown, job: object, payloads: readonly object[]) => {
      expect(job).toBe(CLOSED_LIST_MAIL_JOB)
      // Serialized as JSON, as in the queue.
      batches.push(JSON.parse(JSON.stringify(payloads)))
    },
  }
  await meridian.database.db
    .transaction()
    .execute((trx) => queueClosedListMails({ ...meridian.deps, jobs }, trx, calendar.id))
  return batches
}

async function listTold(): Promise<string[][]> {
  return (await listJobs()).map((batch) =>
    batch.map(({ content }) => content.customer.email.trim().toLowerCase()),
  )
}

async function makeJob(): Promise<ClosedListJob> {
  await joinWaitingListAndConfirm(meridian, calendar.slug, {
    email: `ada-${randomUUID()}@example.com`,
    ...EVENINGS,
  })
  const [job] = (await listJobs()).flat()
  if (job === undefined) throw new Error('somebody waits')
  return job
}

type Sending = {
  readonly waitSeconds?: number
  readonly uncount?: () => Promise<void>
  readonly failure?: Error
}

/** Runs a job once. */
async function send(job: ClosedListJob, { waitSeconds = 0, uncount, failure }: Sending = {}) {
  const sent: OutgoingMail[] = []
  const later: object[] = []
  await sendClosedListMail(
    {
      ...UNLIMITED_EMAIL_DEPS,
      db: meridian.database.db,
      now: () => meridian.clock.ms,
      origin: MAIL_ORIGIN,
      budgets: {
        spend: async () => (waitSeconds === 0 ? null : { budget: 'email_owner' as const, waitSeconds }),
        uncount: uncount ?? UNLIMITED_EMAIL_DEPS.budgets.uncount,
      },
      mailer: {
        send: async (mail) => {
          if (failure !== undefined) throw failure
          sent.push(mail)
        },
        close: async () => {},
      },
      jobs: {
        send: async ({ name }: { readonly name: string }, payload: object, options?: object) => {
          later.push({ name, job: payload, options })
        },
      },
    },
    job,
  )
  return { sent, later }
}
