import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { makeFakeProviders, makePaidCalendar, type PaidCalendar } from '#tests/support/checkouts.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  makeBookingBody,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  TEST_PASSWORD,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { backdateRegistration } from '#tests/support/message-ledger.ts'
import { queryRows, waitUntil } from '#tests/support/race-track.ts'

/** Number of minutes on the product's clock; `tests/prove/abuse.ts` runs an hour. */
const MINUTES = Number(process.env.ABUSE_MINUTES ?? 4)

/** The attacker's only IP address; rate limits count all of its requests together. */
const ATTACKER = '198.51.100.66'
const VICTIM = 'victim@mail.example'

const fakes = makeFakeProviders()
let signatureChecks = 0
const providers = {
  ...fakes,
  paypal: {
    ...fakes.paypal,
    readWebhook: (message: Parameters<typeof fakes.paypal.readWebhook>[0]) => {
      signatureChecks += 1
      return fakes.paypal.readWebhook(message)
    },
  },
}
/** An established practice whose calendars are attacked. */
let practice: { owner: TestOwner; free: Calendar; paid: PaidCalendar }
/** A free account created today, used to send spam. */
let spammer: { owner: TestOwner; calendar: Calendar }

setUpMeridian({ env: { BUDGETS: '', PUBLIC_REQUESTS_PER_MINUTE: '300' }, providers })
beforeAll(async () => {
  const owner = await makeOwner(meridian, { tier: 'business' })
  await backdateRegistration(meridian, owner, 60)
  practice = {
    owner,
    free: await makeCalendar(meridian, owner),
    paid: await makePaidCalendar(meridian, owner),
  }
  const other = await makeOwner(meridian)
  await backdateRegistration(meridian, other, 0)
  spammer = { owner: other, calendar: await makeCalendar(meridian, other) }
})

test('while strangers attack every way in at once, customers and the owner are never refused', {
  tags: ['slow'],
  timeout: 3_600_000,
}, async () => {
  const refused = new Map<string, number>()
  const counts = { attacks: 0, attacks_let_through: 0, honest: 0, honest_refused: 0 }
  for (let minute = 0; minute < MINUTES; minute += 1) {
    meridian.clock.ms = TEST_MONDAY + minute * MINUTE_MS
    for (const attack of listAttacks(minute)) {
      const status = await attack()
      counts.attacks += 1
      if (status < 300) counts.attacks_let_through += 1
    }
    for (const [what, act] of Object.entries(listHonest(minute))) {
      const { statusCode, body } = await act()
      counts.honest += 1
      if (statusCode < 300) continue
      counts.honest_refused += 1
      refused.set(`${what}: ${statusCode} ${body}`, minute)
    }
  }
  await waitUntil(async () => (await countMessages('queued')) === 0)
  const found = { minutes: MINUTES, ...counts, ...(await readHarm()) }
  process.stdout.write(`${JSON.stringify(found)}\n`)
  if (process.env.PROOF_COUNTS !== undefined) await writeFile(process.env.PROOF_COUNTS, JSON.stringify(found))

  expect([...refused]).toEqual([])
  expect(found.honest_confirmations).toBe(MINUTES * 3)
  expect(found.emails_to_the_victim).toBeLessThanOrEqual(12 + 3)
  expect(found.emails_of_the_spammer).toBeLessThanOrEqual(60)
  expect(found.signature_checks).toBeLessThanOrEqual(60)
  // Most times of each day on the paid calendar are still open.
  expect(found.fewest_open_slots).toBeGreaterThanOrEqual(Math.floor(16 * 0.7))
})

/** Lists the attacks of one minute; each returns the status of its response. */
function listAttacks(minute: number): (() => Promise<number>)[] {
  const { owner, free, paid } = practice
  const repeat = (times: number, attack: (i: number) => Promise<{ statusCode: number }>) =>
    Array.from({ length: times }, (_, i) => async () => (await attack(minute * times + i)).statusCode)
  const post = (url: string, payload: object, remoteAddress = ATTACKER, headers = {}) =>
    meridian.request({ method: 'POST', url, payload, remoteAddress, headers })
  return [
    // Guesses of the owner's password, from one IP address and from a network of many addresses.
    ...repeat(20, () => post('/api/auth/sign-in', { email: owner.email, password: 'a guess' })),
    ...repeat(10, (i) =>
      post('/api/auth/sign-in', { email: owner.email, password: 'a guess' }, inNetwork(i)),
    ),
    ...repeat(3, () => post('/api/auth/password-reset-request', { email: VICTIM })),
    ...repeat(2, () =>
      post('/api/auth/sign-up', { full_name: 'Mal Lory', email: VICTIM, password: TEST_PASSWORD }),
    ),
    // Bookings that email one victim, with a link in the name.
    ...repeat(10, (i) =>
      meridian.request({
        method: 'POST',
        url: `/api/public/calendars/${free.slug}/appointments`,
        remoteAddress: i % 2 === 0 ? ATTACKER : inNetwork(i),
        payload: makeBookingBody({
          starts_at: slotAt(200 + i),
          customer: { name: 'https://evil.example', email: VICTIM },
        }),
      }),
    ),
    // Holds that are never paid, always on the same days.
    ...repeat(10, (i) =>
      meridian.request({
        method: 'POST',
        url: `/api/public/calendars/${paid.slug}/checkouts`,
        remoteAddress: i % 2 === 0 ? ATTACKER : inNetwork(i),
        payload: makeBookingBody({
          appointment_type_id: paid.typeId,
          provider: 'stripe',
          starts_at: slotAt(i % 80),
          customer: { name: 'No Body', email: `nobody-${i}@evil.example` },
        }),
      }),
    ),
    // Forged PayPal webhooks.
    ...repeat(10, () =>
      post(`/api/webhooks/paypal/${paid.id}`, { id: randomUUID() }, ATTACKER, {
        'content-type': 'application/json',
        'x-signed': 'no',
      }),
    ),
    ...repeat(5, () =>
      post('/api/public/contact-messages', {
        name: 'Mal',
        email: VICTIM,
        message: 'Buy https://evil.example',
      }),
    ),
    ...repeat(5, () => post(`/api/public/appointments/${randomUUID()}/cancellation-request`, {})),
    // An owner with a free account emails strangers.
    ...repeat(5, (i) =>
      meridian.as(spammer.owner).post(`/api/calendars/${spammer.calendar.id}/appointments`, {
        starts_at: slotAt(i),
        outside_hours: true,
        customer: { name: 'Stranger', email: `stranger-${i}@mail.example` },
        notify_customer: true,
        title: 'https://evil.example',
      }),
    ),
  ]
}

/** Lists the requests of honest users in one minute, each from their own IP address. */
function listHonest(minute: number) {
  const { owner, free, paid } = practice
  const customer = (what: string) => ({ name: 'Grace Hopper', email: `${what}-${minute}@home.example` })
  const from = (what: number) => ({ remoteAddress: `203.0.113.${(minute * 3 + what) % 250}` })
  const own = (url: string) => () =>
    meridian.request({ url, cookie: owner.cookie, remoteAddress: '192.0.2.1' })
  return {
    'a customer looks for times': () =>
      meridian.request({ url: `/api/public/calendars/${free.slug}/slots?date=2027-01-11`, ...from(0) }),
    'a customer books': () =>
      meridian.request({
        method: 'POST',
        url: `/api/public/calendars/${free.slug}/appointments`,
        ...from(0),
        payload: makeBookingBody({ starts_at: slotAt(minute), customer: customer('free') }),
      }),
    'a customer pays': async () => {
      const answer = await meridian.request({
        method: 'POST',
        url: `/api/public/calendars/${paid.slug}/checkouts`,
        ...from(1),
        payload: makeBookingBody({
          appointment_type_id: paid.typeId,
          provider: 'stripe',
          starts_at: slotAt(400 + minute),
          customer: customer('paid'),
        }),
      })
      if (answer.statusCode !== 201) return answer
      const { url, appointment_id } = answer.json<{ url: string; appointment_id: string }>()
      providers.stripe.pay(url.slice(url.lastIndexOf('/') + 1))
      return meridian.request({
        method: 'POST',
        url: `/api/public/appointments/${appointment_id}/payment`,
        ...from(1),
      })
    },
    'the owner looks at the list': own(`/api/calendars/${free.id}/appointments`),
    'the owner books for somebody': () =>
      meridian.request({
        method: 'POST',
        url: `/api/calendars/${free.id}/appointments`,
        cookie: owner.cookie,
        remoteAddress: '192.0.2.1',
        payload: { starts_at: slotAt(100 + minute), customer: customer('phone'), notify_customer: true },
      }),
    'the owner logs in on a new device': () =>
      meridian.request({
        method: 'POST',
        url: '/api/auth/sign-in',
        remoteAddress: `192.0.2.${10 + (minute % 200)}`,
        payload: { email: owner.email, password: TEST_PASSWORD },
      }),
  }
}

/**
 * Returns the start of the i-th half-hour slot: on weekdays from next Monday, 09:00 to 17:00 in London, sixteen a day,
 * until the clocks change.
 */
function slotAt(i: number): string {
  const weekday = Math.floor(i / 16)
  const day = 7 + 7 * Math.floor(weekday / 5) + (weekday % 5)
  return new Date(TEST_MONDAY + day * DAY_MS + (60 + 30 * (i % 16)) * MINUTE_MS).toISOString()
}

/** Returns an address of one IPv6 network, each in its own /64. */
function inNetwork(i: number): string {
  return `2001:db8:bad:${(i % 65_535).toString(16)}::1`
}

async function readHarm() {
  const to = (fits: (address: string) => boolean) =>
    meridian.mails.filter(({ to: { address } }) => fits(address)).length
  const days = await meridian.request({
    url: `/api/public/calendars/${practice.paid.slug}/days?from=2027-01-11&to=2027-01-15&appointment_type_id=${practice.paid.typeId}`,
    remoteAddress: '192.0.2.9',
  })
  const open = days.json<{ days: { open_slots: number }[] }>().days.map(({ open_slots }) => open_slots)
  return {
    emails_to_the_victim: to((address) => address === VICTIM),
    emails_of_the_spammer: to((address) => address.startsWith('stranger-')),
    honest_confirmations: to((address) => address.endsWith('@home.example')),
    fewest_open_slots: Math.min(...open),
    signature_checks: signatureChecks,
  }
}

async function countMessages(state: string): Promise<number> {
  const rows = await queryRows(
    meridian.database,
    `select count(*) from appointment_messages where state = '${state}'`,
  )
  return Number(Object.values(rows[0] ?? {})[0])
}
