import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CustomerListResponse } from '#contract/customers/customers.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { book } from '#tests/support/meridian.ts'
import { finishMails } from '#tests/support/race-track.ts'
import { UNCOUNTED_MAILS } from '#tests/support/uncounted-mails.ts'
import {
  answer,
  join,
  joinAndConfirm,
  joinWhenFull,
  listWaiting,
  tokenIn,
  view,
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
    const token = await joinAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    await correct(later)
    await expectDead(token)
    expect((await listWaiting(meridian, owner, calendar)).entries).toMatchObject([
      { customer_email: later, state: 'waiting' },
    ])
  })

  test('an open offer is sent to the new address; its links work, and the old links do not', async () => {
    await joinWhenFull(meridian, calendar.slug, { email: earlier })
    const before = await waitForOffer(meridian, earlier)
    await correct(later)
    for (const token of tokensIn(before)) await expectDead(token)
    const mail = await waitForOffer(meridian, later)
    expect(mail.messageId).not.toBe(before.messageId)
    const leaving = tokenIn({ ...mail, text: mail.headers?.['List-Unsubscribe'] ?? '' })
    expect(await view(meridian, leaving)).toMatchObject({ state: 'offered' })
    const accepted = await answer(meridian, tokenIn(mail), 'acceptance')
    expect(accepted.json()).toMatchObject({ outcome: 'booked' })
    await meridian.waitForMail(({ to, subject }) => to.address === later && /confirmed/i.test(subject))
  })

  test('the old links of accepted offers no longer work either', async () => {
    await joinWhenFull(meridian, calendar.slug, { email: earlier })
    const token = tokenIn(await waitForOffer(meridian, earlier))
    expect((await answer(meridian, token, 'acceptance')).statusCode).toBe(200)
    await correct(later)
    await expectDead(token)
  })

  test('the email that asks for confirmation is sent to the new address, once, and its link works', async () => {
    await join(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    const asked = await meridian.waitForMail(
      ({ to, subject }) => to.address === earlier && isQuestion(subject),
    )
    await correct(later)
    await expectDead(tokenIn(asked))
    const mail = await meridian.waitForMail(({ to, subject }) => to.address === later && isQuestion(subject))
    expect((await answer(meridian, tokenIn(mail), 'confirmation')).json()).toMatchObject({ state: 'waiting' })
    await finishMails(meridian.database)
    expect(meridian.mails.filter(({ to, subject }) => to.address === later && isQuestion(subject))).toEqual([
      mail,
    ])
  })

  test('an email that was queued for the old address is not sent', async () => {
    await join(meridian, calendar.slug, { email: earlier, ...EVENINGS })
    await correct(later)
    const [entry] = (await listWaiting(meridian, owner, calendar)).entries
    const job = { calendarId: calendar.id, entryId: entry?.id ?? '', offerId: null }
    expect(await send({ ...job, rotation: 0 })).toEqual([])
    expect(await send({ ...job, rotation: 1 })).toMatchObject([{ to: { address: later } }])
  })

  test('an answer in progress during the correction is refused', async () => {
    await joinWhenFull(meridian, calendar.slug, { email: earlier })
    const token = tokenIn(await waitForOffer(meridian, earlier))
    const { offer, ...linked } = await getLinkedEntry(meridian.deps, token)
    if (offer === null) throw new Error('one was made')
    await correct(later)
    await expect(acceptOffer(meridian.deps, { ...linked, offer }, {})).rejects.toThrow(
      PROBLEMS['waiting.not_found'].title,
    )
    expect((await listWaiting(meridian, owner, calendar)).entries).toMatchObject([{ state: 'offered' }])
  })

  test('a further correction replaces the links again, also when the rotation reached its maximum', async () => {
    await joinWhenFull(meridian, calendar.slug, { email: earlier })
    await meridian.database.execute(
      'update waiting_entries set link_rotation = 65535 where calendar_id = $1',
      [calendar.id],
    )
    await correct(later)
    const first = await waitForOffer(meridian, later)
    expect((await view(meridian, tokenIn(first))).state).toBe('offered')
    await correct(`again-${later}`)
    await expectDead(tokenIn(first))
  })
})

test('another spelling of the same address replaces no link', async () => {
  const token = await joinAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
  await correct(earlier.toUpperCase())
  expect(await view(meridian, token)).toMatchObject({ state: 'waiting' })
})

test('merging two records ends the links sent to the removed address and keeps the others', async () => {
  await bookAs({ name: 'Grace Murray', email: later }, '2027-01-04T10:00:00Z')
  const gone = await joinAndConfirm(meridian, calendar.slug, { email: earlier, ...EVENINGS })
  const kept = await joinAndConfirm(meridian, calendar.slug, { email: later, ...EVENINGS })
  const customers = await listCustomers()
  const idOf = (email: string) => customers.find((customer) => customer.email === email)?.id
  const merged = await own('POST', `/customers/${idOf(later)}/merge`, { other_id: idOf(earlier) })
  expect(merged.statusCode, merged.body).toBe(200)
  await expectDead(gone)
  expect(await view(meridian, kept)).toMatchObject({ state: 'waiting' })
  expect((await listWaiting(meridian, owner, calendar)).entries).toMatchObject([
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
        answer(meridian, token, what),
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
  await sendWaitingMail({ ...meridian.deps, ...UNCOUNTED_MAILS, mailer, origin: MAIL_ORIGIN }, job)
  return sent
}

async function bookAs(customer: { name: string; email: string }, starts_at: string): Promise<void> {
  const booked = await book(meridian, calendar.slug, { starts_at, customer })
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
