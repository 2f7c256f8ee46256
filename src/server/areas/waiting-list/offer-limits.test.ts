import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { DAY_MS, HOUR_MS } from '#core/shared/duration.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  makeBookingBody,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
} from '#tests/support/meridian.ts'
import {
  makeWaitingRequestBody,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'
import { scanWaitingList } from './scan-waiting-list.ts'

let meridian: TestMeridian
let calendar: Calendar

const LIMITS = [
  'open_holds_client',
  'open_holds_network',
  'open_holds_email',
  'held_share_of_day',
  'waiting_offers_client',
  'waiting_offers_email',
] as const

const REAL = LIMITS.map((name) => `${name}=${BUDGETS[name].max}`).join(',')

beforeAll(async () => {
  meridian = await startMeridian({
    env: { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${REAL}` },
  })
})
afterAll(() => meridian.stop())
beforeEach(async () => {
  // Each test runs a week later, when the limits of the previous test are available again.
  meridian.clock.ms += 7 * DAY_MS
  meridian.mails.length = 0
  calendar = await makeCalendar(meridian, await makeOwner(meridian))
  await close()
})

test('one client with ten addresses is offered one time of a newly opened day, and the others can be booked', async () => {
  for (let i = 0; i < 10; i += 1) await wait(`203.0.113.${i % 2}`, `throwaway-${i}@example.com`)
  // Opens eight half hours.
  await open(2, '09:00', '13:00')
  await scanWaitingList(meridian.deps, calendar.id)
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await countHeld()).toBeLessThanOrEqual(2)
  expect(await countFree()).toBeGreaterThanOrEqual(6)
})

test('offers hold at most three times for one client', { tags: ['slow'] }, async () => {
  for (let i = 0; i < 10; i += 1) await wait('203.0.113.5', `throwaway-${i}@example.com`)
  for (const day of [2, 3, 4, 5, 6]) await open(day, '09:00', '09:30')
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await countHeld()).toBe(BUDGETS.open_holds_client.max)
})

test('offers hold at most a share of a day; further customers get an email without a hold', async () => {
  for (let i = 0; i < 6; i += 1) await wait(`203.0.113.${i}`, `person-${i}@example.com`)
  await open(2, '09:00', '13:00')
  await scanWaitingList(meridian.deps, calendar.id)
  // 30 % of eight times, rounded down, is two.
  expect(await countHeld()).toBe(2)
  const told = await listOffers()
  expect(told).toHaveLength(6)
  expect(told.filter(({ held_appointment_id }) => held_appointment_id === null)).toHaveLength(4)
  expect(told.every(({ expires_at }) => expires_at.getTime() <= meridian.clock.ms + 4 * HOUR_MS)).toBe(true)
  const isTold = ({ text }: { text: string }) => text.includes('It isn’t held for you')
  expect((await meridian.waitForMail(isTold)).subject).toContain('A time is free')
})

test('offers do not count toward the holds of a client, but a hold counts toward its offers', async () => {
  const other = await makeCalendar(meridian, await makeOwner(meridian))
  await meridian.database.execute('update calendars set email_confirmation_required = true where id = $1', [
    other.id,
  ])
  for (let i = 0; i < 4; i += 1) await wait('203.0.113.9', `neighbour-${i}@example.com`)
  const hold = (day: number, email: string) =>
    meridian.request({
      method: 'POST',
      url: `/api/public/calendars/${other.slug}/appointments`,
      remoteAddress: '203.0.113.9',
      payload: makeBookingBody({
        starts_at: `${dayAfter(day)}T10:00:00Z`,
        customer: { name: 'Grace', email },
      }),
    })
  expect((await hold(1, 'grace-1@example.com')).statusCode).toBe(201)
  for (const day of [2, 3, 4, 5]) await open(day, '09:00', '09:30')
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await countHeld()).toBe(2)
  for (const i of [2, 3]) {
    const held = await hold(i, `grace-${i}@example.com`)
    expect(held.statusCode, held.body).toBe(201)
  }
})

test('an address that declines every offer gets five a day', async () => {
  const email = `eve-${randomUUID()}@example.com`
  await wait('203.0.113.7', email)
  await open(2, '09:00', '13:00')
  let seen = ''
  for (let i = 0; i < BUDGETS.waiting_offers_email.max; i += 1) {
    await scanWaitingList(meridian.deps, calendar.id)
    const mail = await waitForOffer(meridian, email, seen)
    seen = mail.messageId
    expect((await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'refusal')).statusCode).toBe(200)
    meridian.mails.length = 0
  }
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await listOffers()).toHaveLength(BUDGETS.waiting_offers_email.max)
  meridian.clock.ms += DAY_MS
  await open(4, '09:00', '10:00')
  await scanWaitingList(meridian.deps, calendar.id)
  expect(await listOffers()).toHaveLength(BUDGETS.waiting_offers_email.max + 1)
})

test('the list is scanned again a day after a limit was reached', async () => {
  const email = `eve-${randomUUID()}@example.com`
  await wait('203.0.113.40', email)
  await open(2, '09:00', '13:00')
  await open(4, '09:00', '10:00')
  const declineAll = async () => {
    for (const { id } of await listOpen()) {
      await meridian.database.execute('update waiting_offers set expires_at = $2 where id = $1', [
        id,
        new Date(meridian.clock.ms),
      ])
    }
    await scanWaitingList(meridian.deps, calendar.id)
  }
  await scanWaitingList(meridian.deps, calendar.id)
  const { max, windowSeconds } = BUDGETS.waiting_offers_email
  expect(await listQueuedLooks()).toEqual([])
  meridian.clock.ms += HOUR_MS
  for (let i = 0; i <= max; i += 1) await declineAll()
  expect(await listOffers()).toHaveLength(max)
  // The window of the limit starts with the first offer.
  expect(await listQueuedLooks()).toEqual([windowSeconds - 3_600])

  meridian.clock.ms += windowSeconds * 1_000 - HOUR_MS
  await meridian.database.execute(
    "update pgboss.job set start_after = now() where name = 'waiting-list-budget-look' and data ->> 'calendarId' = $1",
    [calendar.id],
  )
  await retryUntilPasses(async () => expect(await listOffers()).toHaveLength(max + 1))
})

test('a client causes at most ten offers a day, with any number of addresses', {
  tags: ['slow'],
}, async () => {
  const { max } = BUDGETS.waiting_offers_client
  for (let i = 0; i < 6; i += 1) await wait('203.0.113.8', `many-${i}@example.com`)
  for (const day of [1, 2, 3, 4, 5, 6]) await open(day, '09:00', '17:00')
  for (let round = 0; round < 12; round += 1) {
    await scanWaitingList(meridian.deps, calendar.id)
    // Lets each open offer expire.
    for (const { id } of await listOpen()) {
      await meridian.database.execute('update waiting_offers set expires_at = $2 where id = $1', [
        id,
        new Date(meridian.clock.ms),
      ])
    }
  }
  expect((await listOffers()).length).toBe(max)
})

test('offers do not use up the limit for booking confirmations', async () => {
  const meridianOfAll = meridian
  // Three of the four allowed emails ask to confirm an address, so one is left for the booking.
  const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},email_practice=4` }
  meridian = await startMeridian({ env })
  try {
    calendar = await makeCalendar(meridian, await makeOwner(meridian))
    await close()
    for (let i = 0; i < 3; i += 1) await wait(`203.0.113.${20 + i}`, `waits-${i}@example.com`)
    await open(2, '09:00', '13:00')
    await scanWaitingList(meridian.deps, calendar.id)
    for (let i = 0; i < 3; i += 1) await waitForOffer(meridian, `waits-${i}@example.com`)
    const email = `real-${randomUUID()}@example.com`
    const [starts_at] = await listSlots(2)
    const booked = await meridian.post(
      `/api/public/calendars/${calendar.slug}/appointments`,
      makeBookingBody({ starts_at, customer: { name: 'Grace Hopper', email } }),
    )
    expect(booked.statusCode, booked.body).toBe(201)
    await meridian.waitForMail(
      ({ to, subject }) => to.address === email && subject.startsWith('Booking confirmed'),
    )
  } finally {
    await meridian.stop()
    meridian = meridianOfAll
  }
})

test('the end of an offer depends on the time zone of the calendar, not of the customer', async () => {
  // It is 8:00 in London, and late in the evening in Kiritimati.
  await wait('203.0.113.30', `far-${randomUUID()}@example.com`, { time_zone: 'Pacific/Kiritimati' })
  await open(5, '09:00', '13:00')
  await scanWaitingList(meridian.deps, calendar.id)
  const [offer] = await listOffers()
  expect(offer?.expires_at.getTime()).toBe(meridian.clock.ms + 4 * HOUR_MS)
})

/** Puts a customer on the list, from this IP address, for the coming week. */
async function wait(address: string, email: string, body: Record<string, unknown> = {}): Promise<void> {
  const url = `/api/public/calendars/${calendar.slug}/waiting-list`
  const dates = { from_date: dayAfter(0), to_date: dayAfter(6) }
  const payload = makeWaitingRequestBody({ email, ...dates, ...body })
  const asked = await meridian.request({ method: 'POST', url, payload, remoteAddress: address })
  expect(asked.statusCode, asked.body).toBe(202)
  const mail = await meridian.waitForMail(
    ({ to, subject }) => to.address === email && subject.startsWith('Confirm your place'),
  )
  expect((await respondToOffer(meridian, tokenInWaitingListEmail(mail), 'confirmation')).statusCode).toBe(200)
}

function dayAfter(days: number): string {
  return new Date(meridian.clock.ms + days * DAY_MS).toISOString().slice(0, 10)
}

async function close(): Promise<void> {
  await meridian.database.db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
}

async function open(day_of_week: number, start_time: string, end_time: string): Promise<void> {
  await meridian.database.db
    .insertInto('availability')
    .values({ calendar_id: calendar.id, id: randomUUID(), day_of_week, start_time, end_time })
    .execute()
}

function listOffers() {
  return meridian.database.db
    .selectFrom('waiting_offers')
    .select(['id', 'held_appointment_id', 'expires_at', 'state'])
    .where('calendar_id', '=', calendar.id)
    .execute()
}

/** Lists the delays, in seconds, of the queued scans that wait for a limit. */
async function listQueuedLooks(): Promise<number[]> {
  const { rows } = await meridian.database.execute(
    `select round(extract(epoch from start_after - created_on))::integer as seconds from pgboss.job
     where name = 'waiting-list-budget-look' and data ->> 'calendarId' = $1 and state < 'active'`,
    [calendar.id],
  )
  return rows.map(({ seconds }) => Number(seconds))
}

async function listOpen() {
  return (await listOffers()).filter(({ state }) => state === 'open')
}

async function countHeld(): Promise<number> {
  return (await listOpen()).filter(({ held_appointment_id }) => held_appointment_id !== null).length
}

async function listSlots(day: number): Promise<string[]> {
  const date = dayAfter(day - 1)
  const url = `/api/public/calendars/${calendar.slug}/slots?date=${date}`
  const { slots } = (await meridian.get(url)).json<{ slots: { starts_at: string }[] }>()
  return slots.map(({ starts_at }) => starts_at)
}

async function countFree(): Promise<number> {
  return (await listSlots(2)).length
}
