import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CustomerListResponse } from '#contract/customers/customers.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import {
  getWaitingRequest,
  joinFullyBookedCalendar,
  joinWaitingList,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { acceptOffer } from './accept-offer.ts'
import type { WaitingMailJob } from './job-definitions.ts'
import { sendWaitingMail } from './send-waiting-mail.ts'
import { getLinkedEntry } from './use-cases.ts'

/** New addresses for each test: the old one and its correction. */
let [earlier, later] = ['', '']

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  const test = randomUUID()
  earlier = `typo-${test}@example.com`
  later = `right-${test}@example.com`
  await bookAs({ name: 'Grace Hopper', email: earlier }, '2027-01-04T09:00:00Z')
})

/** Preferences for evenings, when the calendar is closed, so that nothing is offered. */
const EVENINGS = { day_parts: ['evening'] }

describe('after the address of a customer was corrected', () => {
  test('the old link of a request is refused like a made-up link', async () => {
    const token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    await correct(later)
    await expectDead(token)
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
      { customer_email: later, state: 'waiting' },
    ])
  })

  test('an open offer is sent to the new address; its links work, and the old links do not', async () => {
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: earlier })
    const before = await waitForOffer(meridian, earlier)
    await correct(later)
    for (const token of tokensIn(before)) await expectDead(token)
    const mail = await waitForOffer(meridian, later)
    expect(mail.messageId).not.toBe(before.messageId)
    const leaving = tokenInWaitingListEmail({ ...mail, text: mail.headers?.['List-Unsubscribe'] ?? '' })
    expect(await getWaitingRequest(meridian, leaving)).toMatchObject({ state: 'offered' })
    const accepted = await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'acceptance')
    expect(accepted.json()).toMatchObject({ outcome: 'booked' })
    await meridian.waitForMail(({ to, subject }) => to.address === later && /confirmed/i.test(subject))
  })

  test('the old links of accepted offers no longer work either', async () => {
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: earlier })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, earlier))
    expect((await respondToOffer(meridian, token, 'acceptance')).statusCode).toBe(200)
    await correct(later)
    await expectDead(token)
  })

  test('the email that asks for confirmation is sent to the new address, once, and its link works', async () => {
    await joinWaitingList(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    const asked = await meridian.waitForMail(
      ({ to, subject }) => to.address === earlier && isQuestion(subject),
    )
    await correct(later)
    await expectDead(tokenInWaitingListEmail(asked))
    const mail = await meridian.waitForMail(({ to, subject }) => to.address === later && isQuestion(subject))
    expect(
      (await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'confirmation')).json(),
    ).toMatchObject({ state: 'waiting' })
    await waitUntilEmailsSent(meridian.database)
    expect(meridian.mails.filter(({ to, subject }) => to.address === later && isQuestion(subject))).toEqual([
      mail,
    ])
  })

  test('an email that was queued for the old address is not sent', async () => {
    await joinWaitingList(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    await correct(later)
    const [entry] = (await listWaitingListEntries(meridian, owner, calendar)).entries
    const job = { calendarId: calendar.id, entryId: entry?.id ?? '', offerId: null }
    expect(await send({ ...job, rotation: 0 })).toEqual([])
    expect(await send({ ...job, rotation: 1 })).toMatchObject([{ to: { address: later } }])
  })

  test('an answer in progress during the correction is refused', async () => {
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: earlier })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, earlier))
    const { offer, ...linked } = await getLinkedEntry(meridian.deps, token)
    if (offer === null) throw new Error('one was made')
    await correct(later)
    await expect(acceptOffer(meridian.deps, { ...linked, offer }, {})).rejects.toThrow(
      PROBLEMS['waiting.not_found'].title,
    )
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
      { state: 'offered' },
    ])
  })

  test('a further correction replaces the links again, also when the rotation reached its maximum', async () => {
    await joinFullyBookedCalendar(meridian, calendar.slug, { email: earlier })
    await meridian.database.execute(
      'update waiting_entries set link_rotation = 65535 where calendar_id = $1',
      [calendar.id],
    )
    await correct(later)
    const first = await waitForOffer(meridian, later)
    expect((await getWaitingRequest(meridian, tokenInWaitingListEmail(first))).state).toBe('offered')
    await correct(`again-${later}`)
    await expectDead(tokenInWaitingListEmail(first))
  })
})

test('another spelling of the same address replaces no link', async () => {
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
  await correct(earlier.toUpperCase())
  expect(await getWaitingRequest(meridian, token)).toMatchObject({ state: 'waiting' })
})

test('merging two records ends the links sent to the removed address and keeps the others', async () => {
  await bookAs({ name: 'Grace Murray', email: later }, '2027-01-04T10:00:00Z')
  const gone = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
  const kept = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: later, ...EVENINGS })
  const customers = await listCustomers()
  const idOf = (email: string) => customers.find((customer) => customer.email === email)?.id
  const merged = await own('POST', `/customers/${idOf(later)}/merge`, { other_id: idOf(earlier) })
  expect(merged.statusCode, merged.body).toBe(200)
  await expectDead(gone)
  expect(await getWaitingRequest(meridian, kept)).toMatchObject({ state: 'waiting' })
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { customer_email: later },
    { customer_email: later },
  ])
})

/** Expects every request with a replaced link to get the response of a forged link. */
async function expectDead(token: string): Promise<void> {
  const url = `/api/public/waiting-list/${token}`
  const madeUp = await meridian.get('/api/public/waiting-list/made.up')
  const answers = [
    await meridian.get(url),
    ...(await Promise.all(
      (['confirmation', 'acceptance', 'refusal', 'departure'] as const).map((what) =>
        respondToOffer(meridian, token, what),
      ),
    )),
  ]
  for (const given of answers) {
    expectRefusal(given, 'waiting.not_found')
    const { title, detail, errors } = given.json()
    const { title: theirs, detail: details, errors: list } = madeUp.json()
    expect({ title, detail, errors }).toEqual({ title: theirs, detail: details, errors: list })
  }
}

function isQuestion(subject: string): boolean {
  return subject.startsWith('Confirm your place')
}

/** Lists the tokens of all waiting-list links in an email. */
function tokensIn({ text }: OutgoingMail): string[] {
  const tokens = [...text.matchAll(/\/waiting\/([\w.-]+)/g)].map(([, token = '']) => token)
  expect(tokens).toHaveLength(2)
  return tokens
}

/** Runs a job and returns the emails that it sends. */
async function send(job: WaitingMailJob): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
    },
    close: async () => {},
  }
  await sendWaitingMail({ ...meridian.deps, ...UNLIMITED_EMAIL_DEPS, mailer, origin: MAIL_ORIGIN }, job)
  return sent
}

async function bookAs(customer: { name: string; email: string }, starts_at: string): Promise<void> {
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at, customer })
  expect(booked.statusCode, booked.body).toBe(201)
}

function own(method: 'GET' | 'PATCH' | 'POST', path: string, payload?: object) {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

async function listCustomers(): Promise<CustomerListResponse['customers']> {
  return (await own('GET', '/customer-list')).json<CustomerListResponse>().customers
}

async function correct(email: string): Promise<void> {
  const [customer] = await listCustomers()
  const changed = await own('PATCH', `/customers/${customer?.id}`, { email })
  expect(changed.statusCode, changed.body).toBe(200)
}
