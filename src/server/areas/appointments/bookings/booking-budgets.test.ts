import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { BEHIND_PROXY_SETTINGS, headersFromAddress } from '#tests/support/from-address.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  TEST_PASSWORD,
} from '#tests/support/meridian.ts'

const STRANGER = '203.0.113.7'
const CLINIC = '198.51.100.1'

let calendar: Calendar

// Start no workers: a thousand bookings would send two thousand emails, which these tests do not need.
setUpOwner({ env: { ...BEHIND_PROXY_SETTINGS, DEFAULT_PLAN: 'enterprise' }, hasWorkers: false })
beforeEach(async () => {
  await meridian.database.execute('delete from budget_uses')
  calendar = await makeCalendar(meridian, owner)
})

let customers = 0
type How = { of?: Calendar; email?: string; headers?: Record<string, string> }

/** Books the i-th time, each time as a new customer unless `email` is given. */
function bookAt(i: number, address: string, { of = calendar, email, headers }: How = {}) {
  customers += 1
  const customer = { name: 'Somebody', email: email ?? `somebody-${customers}@example.com` }
  return bookAppointment(
    meridian,
    of.slug,
    { starts_at: offeredHalfHour(i), customer },
    { ...headersFromAddress(address), ...headers },
  )
}

function countBooked(answers: readonly LightMyRequestResponse[]): number {
  return answers.filter(({ statusCode }) => statusCode === 201).length
}

function listUses() {
  return meridian.database.db
    .selectFrom('budget_uses')
    .select(['key', 'used'])
    .where('key', 'like', 'bookings%')
    .orderBy('key')
    .execute()
}

describe('one stranger', () => {
  test('who books 120 times of a calendar in two and a half minutes gets thirty, and others go on', async () => {
    const answers = []
    for (let i = 0; i < 120; i += 1) {
      answers.push(await bookAt(i, STRANGER))
      meridian.clock.ms += 1_250
    }
    expect(countBooked(answers)).toBe(30)
    for (const refused of answers.slice(30)) expectRefusal(refused, 'booking.too_many')
    expect(Number(answers[30]?.headers['retry-after'])).toBeGreaterThan(3_500)
    expect((await bookAt(31, CLINIC)).statusCode).toBe(201)
    meridian.clock.ms += HOUR_MS
    expect((await bookAt(32, STRANGER)).statusCode).toBe(201)
  })

  test('who books on many calendars gets sixty in an hour', async () => {
    const answers = []
    for (let of = 0; of < 9; of += 1) {
      calendar = await makeCalendar(meridian, owner)
      for (let i = 0; i < 8; i += 1) answers.push(await bookAt(i, STRANGER))
    }
    expect(countBooked(answers)).toBe(60)
    expectRefusal(await bookAt(20, STRANGER), 'booking.too_many')
  })

  test('with one /48 gets 240 in an hour', { tags: ['slow'] }, async () => {
    const answers = []
    for (let i = 0; i < 250; i += 1) answers.push(await bookAt(i, `2001:db8:1:${i.toString(16)}::1`))
    expect(countBooked(answers)).toBe(240)
    for (const refused of answers.slice(240)) expectRefusal(refused, 'booking.too_many')
    expect((await bookAt(245, '2001:db8:2::1')).statusCode).toBe(201)
  })

  test('with one email address gets ten a day, from wherever they book', async () => {
    const answers = []
    for (let i = 0; i < 12; i += 1) {
      const email = i % 2 === 0 ? 'victim@example.com' : ' Victim@Example.com '
      answers.push(await bookAt(i, `203.0.113.${i}`, { email }))
      meridian.clock.ms += HOUR_MS
    }
    expect(countBooked(answers)).toBe(10)
    expectRefusal(await bookAt(40, CLINIC, { email: 'victim@example.com' }), 'booking.too_many_for_email')
    meridian.clock.ms = TEST_MONDAY + DAY_MS
    expect((await bookAt(60, CLINIC, { email: 'victim@example.com' })).statusCode).toBe(201)
  })

  test('who is refused uses up nothing of anybody else', async () => {
    for (let i = 0; i < 30; i += 1) await bookAt(i, '2001:db8:1:1::1')
    const before = await listUses()
    for (let i = 30; i < 60; i += 1) await bookAt(i, '2001:db8:1:1::1', { email: 'victim@example.com' })
    expect(await listUses()).toEqual(before)
  })
})

describe('a booking that does not come about', () => {
  test('is not counted: whoever meets taken times goes on, and no row is left of the addresses they typed', async () => {
    await bookAt(0, CLINIC)
    const before = await listUses()
    for (let i = 0; i < 40; i += 1) expectRefusal(await bookAt(0, STRANGER), 'booking.slot_unavailable')
    expect(await listUses()).toEqual(before)
    expect((await bookAt(1, STRANGER)).statusCode).toBe(201)
  })

  test('for want of room in the address’s budget gives back what the client’s had taken', async () => {
    for (let i = 0; i < 10; i += 1) await bookAt(i, `203.0.113.${i}`, { email: 'victim@example.com' })
    const before = await listUses()
    for (let i = 10; i < 50; i += 1) await bookAt(i, STRANGER, { email: 'victim@example.com' })
    expect(await listUses()).toEqual(before)
  })
})

test('a booking that is sent again is counted once, and is answered again when nothing more may be booked', async () => {
  const email = 'grace@example.com'
  const headers = { 'idempotency-key': 'once' }
  const first = await bookAt(0, STRANGER, { email, headers })
  for (let i = 0; i < 15; i += 1) await bookAt(0, STRANGER, { email, headers })
  for (let i = 1; i < 30; i += 1) expect((await bookAt(i, STRANGER)).statusCode).toBe(201)
  expectRefusal(await bookAt(30, STRANGER), 'booking.too_many')
  const again = await bookAt(0, STRANGER, { email, headers })
  expect([again.statusCode, again.json().id]).toEqual([201, first.json().id])
  const other = await bookAt(31, STRANGER, { headers: { 'idempotency-key': 'other' } })
  expectRefusal(other, 'booking.too_many')
})

describe('a practice is never refused', () => {
  test('when its owner tries its page out, and books for 30 people who phone', async () => {
    const headers = { cookie: owner.cookie }
    for (let i = 0; i < 15; i += 1) expect((await bookAt(i, STRANGER, { headers })).statusCode).toBe(201)
    for (let i = 15; i < 45; i += 1) {
      const answer = await owner.post(`/api/calendars/${calendar.id}/appointments`, {
        starts_at: offeredHalfHour(i),
        customer: { name: `Patient ${i}` },
      })
      expect(answer.statusCode, answer.body).toBe(201)
    }
    const other = await makeOwner(meridian)
    for (let i = 45; i < 75; i += 1) await bookAt(i, STRANGER, { headers: { cookie: other.cookie } })
    expectRefusal(await bookAt(75, STRANGER, { headers: { cookie: other.cookie } }), 'booking.too_many')
  })

  test('that has 200 bookings in a day from 200 clients', { tags: ['slow'] }, async () => {
    for (let i = 0; i < 200; i += 1) {
      expect((await bookAt(i, `192.0.2.${i}`)).statusCode).toBe(201)
      meridian.clock.ms += MINUTE_MS
    }
  })

  test('that has 200 in eight hours from the network of its waiting room, where its owner is logged in', {
    tags: ['slow'],
  }, async () => {
    const login = await meridian.request({
      method: 'POST',
      url: '/api/auth/sign-in',
      headers: headersFromAddress(CLINIC),
      payload: { email: owner.email, password: TEST_PASSWORD },
    })
    expect(login.statusCode).toBe(200)
    for (let i = 0; i < 200; i += 1) {
      const answer = await bookAt(i + 32, CLINIC)
      expect(answer.statusCode, `${i}: ${answer.body}`).toBe(201)
      meridian.clock.ms += (8 * HOUR_MS) / 200
    }
  })
})
