import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SlotCountsPerDay } from '#contract/slots/slots.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { makeFakeProviders, startFirstCheckout } from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { paidCalendar as calendar, meridian, setUpPaidCalendar } from '#tests/support/fixtures.ts'
import { BEHIND_PROXY_SETTINGS, headersFromAddress } from '#tests/support/from-address.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'

const STRANGER = '203.0.113.7'
const NEIGHBOUR = '198.51.100.20'

setUpPaidCalendar({
  providers: makeFakeProviders(),
  env: { ...BEHIND_PROXY_SETTINGS, DEFAULT_PLAN: 'enterprise' },
})
beforeEach(async () => {
  // Delete everything from the previous test that counts towards a limit.
  await meridian.database.execute('delete from holds')
})

let customers = 0
/** Starts a payment, as a new customer each time. */
function hold(address: string, startsAt: string, of = calendar) {
  customers += 1
  const customer = { name: 'Somebody', email: `somebody-${customers}@example.com` }
  return startFirstCheckout(meridian, of, { starts_at: startsAt, customer }, headersFromAddress(address))
}

/** Returns the number of open times on each day of two months. */
async function listDays(): Promise<SlotCountsPerDay['days']> {
  const url = `/api/public/calendars/${calendar.slug}/days`
  const query = { from: '2027-01-04', to: '2027-03-04', appointment_type_id: calendar.typeId }
  const { days } = (await meridian.request({ method: 'GET', url, query })).json<SlotCountsPerDay>()
  return days.filter(({ date }) => ![0, 6].includes(new Date(date).getUTCDay()))
}

describe('of holds,', () => {
  test('150 of one stranger come to three, and customers beside the attack find their times', async () => {
    const before = await listDays()
    const answers = []
    for (let i = 0; i < 150; i += 1) answers.push(await hold(STRANGER, offeredHalfHour(i * 4)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    for (const refused of answers.slice(-140)) expectRefusal(refused, 'hold.too_many_open')
    const after = await listDays()
    expect(sumOf(before) - sumOf(after)).toBe(3)
    // Another customer can still hold a time on the day with the most held times, at the same moment.
    expect((await hold(NEIGHBOUR, offeredHalfHour(1))).statusCode).toBe(201)
    expect((await hold('198.51.100.21', offeredHalfHour(2))).statusCode).toBe(201)
  })

  test('100 of as many strangers leave every day 70 % of its times', { tags: ['slow'] }, async () => {
    const before = await listDays()
    const answers = []
    // Request enough holds to fill the first six days.
    for (let i = 0; i < 100; i += 1) answers.push(await hold(`203.0.113.${i}`, offeredHalfHour(i)))
    const after = await listDays()
    expect(before.slice(1, 7).every(({ open_slots }) => open_slots === 16)).toBe(true)
    after.forEach(({ open_slots }, i) => {
      expect(open_slots).toBeGreaterThanOrEqual(0.7 * (before[i]?.open_slots ?? 0))
    })
    const made = answers.filter(({ statusCode }) => statusCode === 201)
    expect(made.length).toBe(sumOf(before) - sumOf(after))
    const refused = answers.find(({ statusCode }) => statusCode !== 201)
    if (refused === undefined) throw new Error('all were let through')
    expectRefusal(refused, 'hold.day_held')
    expect(refused.headers['retry-after']).toBe('300')
  })

  test('of the 65,536 networks of one /48 come to twelve that are open at once', async () => {
    const answers = []
    for (let i = 0; i < 20; i += 1) answers.push(await hold(networkOf(i), offeredHalfHour(i * 8)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(12)
    for (const refused of answers.slice(12)) expectRefusal(refused, 'hold.too_many_open')
    expect((await hold('2001:db8:2::1', offeredHalfHour(1))).statusCode).toBe(201)
  })

  test('of one /48 come to 80 in an hour, however soon each is given back', { tags: ['slow'] }, async () => {
    for (let i = 0; i < 80; i += 1) {
      expect((await hold(networkOf(i), offeredHalfHour(i))).statusCode).toBe(201)
      await meridian.database.execute('update appointments set released_at = created_at')
    }
    expectRefusal(await hold(networkOf(80), offeredHalfHour(80)), 'hold.too_many_made')
  })
})

describe('renewing a hold for ever', () => {
  test('by letting it run out ends after three, until the first is an hour ago', async () => {
    const time = offeredHalfHour(100)
    for (let i = 0; i < 3; i += 1) {
      expect((await hold(STRANGER, offeredHalfHour(100 + i))).statusCode).toBe(201)
      await passTime(HOLD_MS)
    }
    const refused = await hold(STRANGER, time)
    expectRefusal(refused, 'hold.expired_too_often')
    expect(refused.headers['retry-after']).toBe('3600')
    expect((await hold(NEIGHBOUR, time)).statusCode).toBe(201)
    await passTime(HOUR_MS - 2 * HOLD_MS)
    expect((await hold(STRANGER, time)).statusCode).toBe(201)
  })

  test('with one address from many networks ends after three as well', async () => {
    const customer = { name: 'Somebody', email: 'The.Same@example.com' }
    const holdAs = (i: number) =>
      startFirstCheckout(
        meridian,
        calendar,
        { starts_at: offeredHalfHour(100 + i), customer },
        headersFromAddress(`203.0.113.${i}`),
      )
    for (let i = 0; i < 3; i += 1) {
      expect((await holdAs(i)).statusCode).toBe(201)
      await passTime(HOLD_MS)
    }
    expectRefusal(await holdAs(3), 'hold.expired_too_often_for_email')
  })

  test('by giving it back in time leaves the time to others for two thirds of each hour', {
    tags: ['slow'],
  }, async () => {
    const time = offeredHalfHour(100)
    let heldMinutes = 0
    const answers: LightMyRequestResponse[] = []
    for (let minute = 0; minute < 180; ) {
      const answer = await hold(STRANGER, time)
      answers.push(answer)
      const isHeld = answer.statusCode === 201
      const minutes = isHeld ? 4 : 1
      await passTime(minutes * MINUTE_MS)
      minute += minutes
      if (isHeld) heldMinutes += minutes
      if (isHeld) await giveBack(idOf(answer))
    }
    expect(heldMinutes).toBeLessThanOrEqual(60)
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expectRefusal(refused, 'hold.time_held_too_long')
    }
  })

  test('10,000 times an hour comes to twenty', async () => {
    let made = 0
    for (let i = 0; i < 40; i += 1) {
      const answer = await hold(STRANGER, offeredHalfHour(i))
      if (answer.statusCode === 201) {
        made += 1
        await giveBack(idOf(answer))
      } else expectRefusal(answer, 'hold.too_many_made')
    }
    expect(made).toBe(20)
  })
})

function sumOf(days: SlotCountsPerDay['days']): number {
  return days.reduce((sum, { open_slots }) => sum + open_slots, 0)
}

async function passTime(ms: number): Promise<void> {
  meridian.clock.ms += ms
  await releaseExpiredHolds(meridian.deps)
}

async function giveBack(id: string): Promise<void> {
  const url = `/api/public/appointments/${id}`
  const { statusCode } = await meridian.request({
    method: 'DELETE',
    url,
    headers: headersFromAddress(STRANGER),
  })
  expect([204, 404]).toContain(statusCode)
}

/** Returns an address in the i-th of the 65,536 networks (/64) of a /48. */
function networkOf(i: number): string {
  return `2001:db8:1:${i.toString(16)}::1`
}

function idOf(answer: LightMyRequestResponse): string {
  return answer.json<{ appointment_id: string }>().appointment_id
}
