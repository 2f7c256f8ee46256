import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { TimeToCheck } from '#server/areas/appointments/bookings/deps.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { queryNumber, waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  joinFullyBookedCalendar,
  joinWaitingListAndConfirm,
  makeWaitingRequestBody,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { acceptOffer } from './accept-offer.ts'
import { WAITING_MAIL_JOB } from './job-definitions.ts'
import { getLinkedEntry } from './use-cases.ts'

let meridian: TestMeridian
let calendar: Calendar

beforeAll(async () => {
  const counted = ['waiting_requests_client', 'waiting_requests_email', 'email_unanswered'] as const
  const amounts = counted.map((name) => `${name}=${BUDGETS[name].max}`).join(',')
  const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${amounts}` }
  meridian = await startMeridian({ env })
})
afterAll(() => meridian.stop())
beforeEach(async () => {
  // Each test runs eight days later, when the limits of the previous test are available again.
  meridian.clock.ms += 8 * DAY_MS
  meridian.mails.length = 0
  calendar = await makeCalendar(meridian, await makeOwner(meridian))
})

test('the emails that one client can cause a day are limited, to any number of addresses', async () => {
  const asked: number[] = []
  for (let i = 0; i < BUDGETS.waiting_requests_client.max + 5; i += 1) {
    asked.push((await joinFrom('203.0.113.5', `person-${i}@example.com`)).statusCode)
  }
  expect(asked.filter((status) => status === 202)).toHaveLength(BUDGETS.waiting_requests_client.max)
  expectRefusal(await joinFrom('203.0.113.5', 'one-more@example.com'), 'waiting.too_many')
  await waitUntilEmailsSent(meridian.database)
  expect(meridian.mails).toHaveLength(BUDGETS.waiting_requests_client.max)
})

test('confirmation emails to one address are limited, from any client and in any spelling', async () => {
  const { max } = BUDGETS.waiting_requests_email
  for (let i = 0; i < max; i += 1) {
    expect((await joinFrom(`203.0.113.${i}`, `ada+${i}@example.com`)).statusCode).toBe(202)
  }
  expectRefusal(await joinFrom('203.0.113.99', 'ADA@example.com'), 'waiting.too_many_for_email')
  // The other emails wait until a recipient shows that the first ones were wanted.
  await waitUntil(async () => (await countQueued()) === max - BUDGETS.email_unanswered.max)
  expect(meridian.mails).toHaveLength(BUDGETS.email_unanswered.max)
})

test('requests of strangers use only a small part of the practice’s email limit', () => {
  expect(BUDGETS.waiting_requests_calendar.max).toBeLessThan(BUDGETS.email_practice.max / 2)
})

test('fake requests do not keep a customer off the list, and an address has at most five requests', async () => {
  const email = 'ada@example.com'
  const month = { from_date: dayAfter(1), to_date: dayAfter(60), day_parts: ['evening'] }
  for (let i = 0; i < 5; i += 1) await joinFrom(`203.0.113.${i}`, email, month)
  for (let i = 0; i < 5; i += 1) {
    meridian.clock.ms += 8 * DAY_MS
    meridian.mails.length = 0
    await joinWaitingListAndConfirm(meridian, calendar.slug, { email, ...month })
  }
  meridian.clock.ms += 8 * DAY_MS
  meridian.mails.length = 0
  expect((await joinFrom('203.0.113.7', email, month)).statusCode).toBe(202)
  const mail = await meridian.waitForMail(({ to }) => to.address === email)
  expectRefusal(
    await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'confirmation'),
    'waiting.too_many_for_email',
  )
})

test('opening the link of an ended offer causes no request to a calendar provider', async () => {
  // An address that no other test uses, because an email of the previous test may still be on its way.
  const email = 'bea@example.com'
  await joinFullyBookedCalendar(meridian, calendar.slug, { email, ...nextWeek() })
  const token = tokenInWaitingListEmail(await waitForOffer(meridian, email))
  const checked: TimeToCheck[] = []
  const deps = {
    ...meridian.deps,
    async checkExternalCalendars(time: TimeToCheck) {
      checked.push(time)
      if (checked.length === 1) throw new Error('nothing is booked in this test')
    },
  }
  const { offer: open, ...asked } = await getLinkedEntry(meridian.deps, token)
  if (open === null) throw new Error('one was made')
  await expect(acceptOffer(deps, { ...asked, offer: open }, {})).rejects.toThrow('nothing is booked')
  // Nobody is offered the held time, yet the external calendars are checked for it.
  expect(checked).toMatchObject([{ startsAtMs: open.starts_at.getTime(), isPromised: true }])

  await respondToOffer(meridian, token, 'refusal')
  const { offer, ...linked } = await getLinkedEntry(meridian.deps, token)
  if (offer === null) throw new Error('one was made')
  for (let i = 0; i < 3; i += 1) {
    await expect(acceptOffer(deps, { ...linked, offer }, {})).rejects.toThrow('declined')
    for (const what of ['refusal', 'departure'] as const) {
      expect((await respondToOffer(meridian, token, what)).statusCode).toBe(200)
    }
  }
  expect(checked).toHaveLength(1)
})

function joinFrom(remoteAddress: string, email: string, dates = nextWeek()) {
  const url = `/api/public/calendars/${calendar.slug}/waiting-list`
  return meridian.request({
    method: 'POST',
    url,
    payload: makeWaitingRequestBody({ email, ...dates }),
    remoteAddress,
  })
}

/** Returns the coming week, so that the dates of a request are always in the future. */
function nextWeek(): { from_date: string; to_date: string } {
  return { from_date: dayAfter(1), to_date: dayAfter(7) }
}

function dayAfter(days: number): string {
  return new Date(meridian.clock.ms + days * DAY_MS).toISOString().slice(0, 10)
}

/** Counts the unsent emails about waiting lists. */
async function countQueued(): Promise<number> {
  const queued = `select count(*) from pgboss.job where name = '${WAITING_MAIL_JOB.name}' and state <> 'completed'`
  return queryNumber(meridian.database, queued)
}
