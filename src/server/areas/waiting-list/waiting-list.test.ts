import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  getWaitingRequest,
  joinWaitingList,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  makeWaitingRequestBody,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { recoverLostWaitingListJobs } from './jobs.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
})

const [ADA, BOB] = ['ada@example.com', 'bob@example.com']
/** Tuesday at 09:00 in London, the only open time in these tests. */
const NINE = '2027-01-05T09:00:00Z'

/** Leaves only one half hour of the week open, and books it. */
async function fillCalendar(): Promise<string> {
  const { db } = meridian.database
  await db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
  await openRange({ day_of_week: 2, start_time: '09:00:00', end_time: '09:30:00' })
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at: NINE })
  expect(booked.statusCode, booked.body).toBe(201)
  for (const later of ['2027-01-12', '2027-01-19']) {
    await bookAppointment(meridian, calendar.slug, { starts_at: `${later}T09:00:00Z` })
  }
  return booked.json().id
}

async function openRange(payload: Record<string, unknown>): Promise<void> {
  const opened = await owner.post(`/api/calendars/${calendar.id}/availability`, payload)
  expect(opened.statusCode, opened.body).toBe(201)
}

async function cancel(id: string): Promise<void> {
  const cancelled = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, {
    action: 'cancel',
    was: { status: 'confirmed', payment_status: 'not_required' },
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
}

test('the customer who joined first is offered a cancelled time, and nobody else can book it meanwhile', async () => {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  await cancel(id)
  const mail = await waitForOffer(meridian, ADA)
  expect(mail.text).toContain('9:00 AM')
  expectRefusal(
    await bookAppointment(meridian, calendar.slug, { starts_at: NINE }),
    'booking.slot_unavailable',
  )
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { customer_email: ADA, place: 1, state: 'offered', offers: [{ state: 'open', is_held: true }] },
    { customer_email: BOB, place: 2, state: 'waiting', offers: [] },
  ])

  const accepted = await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'acceptance')
  expect(accepted.json()).toMatchObject({ outcome: 'booked', appointment: { status: 'confirmed' } })
  await meridian.waitForMail(({ to, subject }) => to.address === ADA && /confirmed/i.test(subject))
  const { manage_token: link } = accepted.json().appointment
  expect(await getWaitingRequest(meridian, tokenInWaitingListEmail(mail))).toMatchObject({
    state: 'accepted',
    offer: { state: 'accepted', manage_token: link },
  })
  // After the appointment's link has been replaced, an older email must not reveal the new one.
  await meridian.database.execute('update appointments set link_rotation = 1 where calendar_id = $1', [
    calendar.id,
  ])
  expect((await getWaitingRequest(meridian, tokenInWaitingListEmail(mail))).offer).toMatchObject({
    manage_token: null,
  })
})

test('accepting an offer is idempotent', async () => {
  const token = await offerTo(ADA)
  const [first, second] = [
    await respondToOffer(meridian, token, 'acceptance'),
    await respondToOffer(meridian, token, 'acceptance'),
  ]
  expect(second.json().appointment.id).toBe(first.json().appointment.id)
  expect(await countBooked()).toBe(1)
})

test('a declined time is offered to the next customer, and the first keeps their place', async () => {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  await cancel(id)
  const token = tokenInWaitingListEmail(await waitForOffer(meridian, ADA))
  const declined = await respondToOffer(meridian, token, 'refusal')
  expect(declined.json()).toMatchObject({ state: 'waiting', offer: { state: 'declined' } })
  await waitForOffer(meridian, BOB)
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.offer_declined')
})

test('an offer can be accepted until its last second', async () => {
  const token = await offerTo(ADA)
  const { offer } = await getWaitingRequest(meridian, token)
  const endMs = Date.parse(offer?.expires_at ?? '')
  expect(endMs).toBe(meridian.clock.ms + 4 * HOUR_MS)
  meridian.clock.ms = endMs
  // The offer expires at the time stated in the email, even if the stored state is still open.
  expect((await getWaitingRequest(meridian, token)).offer?.state).toBe('expired')
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.offer_expired')
  meridian.clock.ms = endMs - 1
  expect((await respondToOffer(meridian, token, 'acceptance')).statusCode).toBe(200)
})

test('the time of an expired offer is offered to the next customer', async () => {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  await cancel(id)
  await waitForOffer(meridian, ADA)
  meridian.clock.ms += 4 * HOUR_MS
  await scanWaitingList(meridian.deps, calendar.id)
  await waitForOffer(meridian, BOB)
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { customer_email: ADA, state: 'waiting', offers: [{ state: 'expired' }] },
    { customer_email: BOB, state: 'offered' },
  ])
})

test('less than three hours before the start, all matching customers are emailed, and the first to accept wins', async () => {
  const id = await fillCalendar()
  const early = { email: ADA }
  await joinWaitingListAndConfirm(meridian, calendar.slug, early)
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  meridian.clock.ms = Date.parse(NINE) - 2 * HOUR_MS
  await cancel(id)
  const ada = tokenInWaitingListEmail(await waitForOffer(meridian, ADA))
  const bob = tokenInWaitingListEmail(await waitForOffer(meridian, BOB))
  expect((await respondToOffer(meridian, bob, 'acceptance')).statusCode).toBe(200)
  expectRefusal(await respondToOffer(meridian, ada, 'acceptance'), 'waiting.time_taken')
  expect((await getWaitingRequest(meridian, ada)).state).toBe('waiting')
})

test('accepting a time that the owner has booked meanwhile is refused', async () => {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  meridian.clock.ms = Date.parse(NINE) - 2 * HOUR_MS
  await cancel(id)
  const token = tokenInWaitingListEmail(await waitForOffer(meridian, ADA))
  const byHand = await owner.post(`/api/calendars/${calendar.id}/appointments`, {
    starts_at: NINE,
    customer: { name: 'Walk In' },
    notify_customer: false,
    outside_hours: true,
  })
  expect(byHand.statusCode, byHand.body).toBe(201)
  expectRefusal(await respondToOffer(meridian, token, 'acceptance'), 'waiting.time_taken')
})

test('a request waits only after its email address is confirmed', async () => {
  const id = await fillCalendar()
  const asked = await joinWaitingList(meridian, calendar.slug, { email: ADA })
  expect(asked.json()).toEqual({ email: ADA })
  const mail = await meridian.waitForMail(({ to }) => to.address === ADA)
  expect(mail.headers['List-Unsubscribe']).toBe(
    `<http://localhost:3000/waiting/${tokenInWaitingListEmail(mail)}>`,
  )
  // Opening the link changes nothing, because mail scanners open links too.
  expect((await getWaitingRequest(meridian, tokenInWaitingListEmail(mail))).state).toBe('unconfirmed')
  await cancel(id)
  await scanWaitingList(meridian.deps, calendar.id)
  expect((await listWaitingListEntries(meridian, owner, calendar)).waiting).toBe(0)
})

test('leaving the list takes one request, and an open offer passes to the next customer', async () => {
  const id = await fillCalendar()
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  await cancel(id)
  await waitForOffer(meridian, ADA)
  expect((await respondToOffer(meridian, token, 'departure')).json()).toMatchObject({ state: 'removed' })
  await waitForOffer(meridian, BOB)
  expectRefusal(await respondToOffer(meridian, token, 'confirmation'), 'waiting.ended')
})

test('a time opened by new weekly hours is offered', async () => {
  await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA, weekdays: [3] })
  await openRange({ day_of_week: 3, start_time: '10:00:00', end_time: '10:30:00' })
  expect((await waitForOffer(meridian, ADA)).subject).toContain('Wednesday, January 6, 10:00 AM')
})

test('a guessed, truncated or changed link is refused', async () => {
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  const [id = '', signature = ''] = token.split('.')
  const other = (await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })).split('.')[0]
  for (const wrong of [id, `${id}.`, `${id}.${signature.slice(1)}`, `${other}.${signature}`, 'x']) {
    expectRefusal(await meridian.get(`/api/public/waiting-list/${wrong}`), 'waiting.not_found')
  }
})

test('a customer sees nothing about others on the list', async () => {
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  const shown = JSON.stringify(await getWaitingRequest(meridian, token))
  expect(shown).not.toContain(BOB)
  expect(shown).not.toMatch(/place|position|waiting_count/)
})

test.each([
  ['a last date before the first', { from_date: '2027-01-10', to_date: '2027-01-09' }],
  ['dates that are over', { from_date: '2026-12-01', to_date: '2027-01-03' }],
  ['more than three months', { from_date: '2027-01-04', to_date: '2027-04-07' }],
  ['dates more than a year ahead', { from_date: '2028-01-04', to_date: '2028-01-06' }],
])('%s is refused', async (_what, dates) => {
  expectRefusal(await joinWaitingList(meridian, calendar.slug, dates), 'waiting.dates')
})

test('the last day for offers is between today and the last date, which is the default', async () => {
  for (const day of ['2027-01-03', '2027-01-25']) {
    expectRefusal(await joinWaitingList(meridian, calendar.slug, { valid_until: day }), 'waiting.valid_until')
  }
  await own('POST', '', makeWaitingRequestBody({ email: BOB }))
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, {
    email: ADA,
    valid_until: '2027-01-04',
  })
  expect((await getWaitingRequest(meridian, token)).valid_until).toBe('2027-01-04')
  expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toMatchObject([
    { customer_email: BOB, valid_until: '2027-01-24' },
    { customer_email: ADA, valid_until: '2027-01-04' },
  ])
})

test('nothing is offered after the last day for offers, even if the requested dates are later', async () => {
  await fillCalendar()
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, {
    email: ADA,
    weekdays: [3],
    valid_until: '2027-01-05',
  })
  meridian.clock.ms = Date.parse('2027-01-06T00:00:00Z')
  await openRange({ day_of_week: 3, start_time: '10:00:00', end_time: '10:30:00' })
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await getWaitingRequest(meridian, token)).toMatchObject({ state: 'expired', offer: null })
})

test('a request ends after its last day for offers, even if no time becomes free', async () => {
  await fillCalendar()
  const token = await joinWaitingListAndConfirm(meridian, calendar.slug, {
    email: ADA,
    weekdays: [3],
    valid_until: '2027-01-05',
  })
  meridian.clock.ms = Date.parse('2027-01-05T12:00:00Z')
  await recoverLostWaitingListJobs(meridian.deps)
  expect(await listWaitingListEntries(meridian, owner, calendar)).toMatchObject({ waiting: 1 })
  meridian.clock.ms = Date.parse('2027-01-06T00:00:00Z')
  await recoverLostWaitingListJobs(meridian.deps)
  expect(await listWaitingListEntries(meridian, owner, calendar)).toMatchObject({ waiting: 0, entries: [] })
  expect(await getWaitingRequest(meridian, token)).toMatchObject({ state: 'expired', offer: null })
})

test('three unanswered offers in a row remove a customer from the list', async () => {
  await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  for (const day of [4, 5, 6]) {
    await openRange({ day_of_week: day, start_time: '10:00:00', end_time: '10:30:00' })
    await scanWaitingList(meridian.deps, calendar.id)
    await waitUntilEmailsSent(meridian.database)
    meridian.clock.ms += 4 * HOUR_MS
    // Leaves only the newly opened time free, so that the customers who ignored the others get this offer.
    await meridian.database.db
      .deleteFrom('availability')
      .where('calendar_id', '=', calendar.id)
      .where('day_of_week', '=', day)
      .execute()
    await scanWaitingList(meridian.deps, calendar.id)
  }
  const { entries } = await listWaitingListEntries(meridian, owner, calendar, 'ended')
  expect(entries).toMatchObject([{ customer_email: ADA, state: 'removed' }])
})

test('an owner adds a customer, offers a time out of turn and withdraws it', async () => {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA, weekdays: [1] })
  const added = await own('POST', '', makeWaitingRequestBody({ name: 'Bob', email: BOB, weekdays: [1] }))
  expect(added.statusCode, added.body).toBe(201)
  await cancel(id)
  const entry = added.json().id
  expect((await own('GET', `/${entry}/times`)).json().starts_at).toEqual([])
  expect((await own('POST', `/${entry}/offer`, { starts_at: NINE })).statusCode).toBe(204)
  await waitForOffer(meridian, BOB)
  expectRefusal(await own('POST', `/${entry}/offer`, { starts_at: NINE }), 'waiting.offered_already')
  expect((await own('DELETE', `/${entry}/offer`)).statusCode).toBe(204)
  expectRefusal(await own('DELETE', `/${entry}/offer`), 'waiting.nothing_offered')
  expect((await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).statusCode).toBe(201)
  expectRefusal(await own('POST', `/${entry}/offer`, { starts_at: NINE }), 'waiting.time_not_free')
  expect((await own('DELETE', `/${entry}`)).statusCode).toBe(204)
  expect((await listWaitingListEntries(meridian, owner, calendar)).waiting).toBe(1)
})

test('an owner sees for each calendar how many customers wait and how many offers are open', async () => {
  const id = await fillCalendar()
  const somebody = await makeOwner(meridian)
  const counts = async ({ cookie }: TestOwner) =>
    (await meridian.as({ cookie }).get('/api/waiting-lists')).json().calendars
  const ofCalendar = async () =>
    (await counts(owner)).find(({ calendar_id }: { calendar_id: string }) => calendar_id === calendar.id)
  expect(await ofCalendar()).toBeUndefined()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: ADA })
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email: BOB })
  // A customer with two requests counts once.
  const again = makeWaitingRequestBody({ name: 'Bob', email: BOB.toUpperCase(), weekdays: [5] })
  expect((await own('POST', '', again)).statusCode).toBe(201)
  await joinWaitingList(meridian, calendar.slug, { email: 'unconfirmed@example.com' })
  expect(await ofCalendar()).toMatchObject({ waiting: 2, offered: 0 })
  await cancel(id)
  const mail = await waitForOffer(meridian, ADA)
  expect(await ofCalendar()).toMatchObject({ waiting: 2, offered: 1 })
  await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'acceptance')
  expect(await ofCalendar()).toMatchObject({ waiting: 1, offered: 0 })
  expect(await counts(somebody)).toEqual([])
})

test('another owner can neither see nor change a list', async () => {
  const stranger = await makeOwner(meridian)
  const url = `/api/calendars/${calendar.id}/waiting-list`
  expectRefusal(await stranger.get(url), 'calendar.forbidden')
})

function own(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: Record<string, unknown>) {
  const url = `/api/calendars/${calendar.id}/waiting-list${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

/** Makes the list offer a customer the calendar's only time, and returns the token of the offer. */
async function offerTo(email: string): Promise<string> {
  const id = await fillCalendar()
  await joinWaitingListAndConfirm(meridian, calendar.slug, { email })
  await cancel(id)
  return tokenInWaitingListEmail(await waitForOffer(meridian, email))
}

async function countBooked(): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .where('starts_at', '=', new Date(NINE))
    .where('status', '=', 'confirmed')
    .execute()
  return rows.length
}
