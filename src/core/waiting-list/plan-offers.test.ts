import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { NO_OWNERS_WORK } from '#core/slots/occupied-time.ts'
import { measureCpuTimeUs } from '#tests/support/cpu-cost.ts'
import * as fc from '#tests/support/fast-check.ts'
import { type PlannedOffer, planOffers, type SortedFreeStarts, type WaitingCustomer } from './plan-offers.ts'
import { DAY_PARTS, matchesRequest, toLocalStart } from './waiting-request.ts'

const NOW = Date.parse('2027-01-04T08:00:00Z')
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

describe('planOffers', () => {
  test('each customer in turn gets the earliest matching time', () => {
    const free = times('2027-01-05T09:00:00Z', '2027-01-05T14:00:00Z', '2027-01-06T09:00:00Z')
    const customers = [customer('a', { day_parts: ['afternoon'] }), customer('b'), customer('c')]
    expect(startsOf(plan({ customers, free: [free] }))).toEqual({
      a: '2027-01-05T14:00:00.000Z',
      b: '2027-01-05T09:00:00.000Z',
      c: '2027-01-06T09:00:00.000Z',
    })
  })

  test('a time that was offered before is not offered again', () => {
    const free = times('2027-01-05T09:00:00Z', '2027-01-06T09:00:00Z')
    const offeredBefore = new Set([Date.parse('2027-01-05T09:00:00Z')])
    const customers = [customer('a', { offeredBefore })]
    expect(startsOf(plan({ customers, free: [free] }))).toEqual({ a: '2027-01-06T09:00:00.000Z' })
  })

  test('a customer is offered times that became free after they joined, and no others', () => {
    const [before, since] = toMs('2027-01-05T09:00:00Z', '2027-01-06T09:00:00Z')
    const starts = [
      { startMs: before ?? 0, scanNumber: 7 },
      { startMs: since ?? 0, scanNumber: 8 },
    ]
    const customers = [
      customer('early', { joinedAtScan: 6 }),
      customer('late', { joinedAtScan: 7 }),
      customer('now', { joinedAtScan: 8 }),
    ]
    const free = { typeId: null, durationMinutes: 30, ...NO_OWNERS_WORK, starts }
    expect(startsOf(plan({ customers, free: [free] }))).toEqual({
      early: '2027-01-05T09:00:00.000Z',
      late: '2027-01-06T09:00:00.000Z',
    })
  })

  test("dates, weekdays and parts of the day are in the request's time zone", () => {
    // 23:00 on Monday in London is Tuesday morning in Kathmandu.
    const free = times('2027-01-04T23:00:00Z')
    const wish = {
      fromDate: '2027-01-05',
      toDate: '2027-01-05',
      weekdays: [2],
      dayParts: ['morning'],
    } as const
    const here = customer('here', wish)
    const there = customer('there', { ...wish, time_zone: 'Asia/Kathmandu' })
    expect(startsOf(plan({ customers: [here, there], free: [free] }))).toEqual({
      there: '2027-01-04T23:00:00.000Z',
    })
  })

  test('an offered time also blocks overlapping times of other types, with the buffer', () => {
    const long = { ...times('2027-01-05T09:00:00Z'), typeId: 'long', durationMinutes: 60 }
    const short = { ...times('2027-01-05T10:00:00Z', '2027-01-05T10:30:00Z'), typeId: 'short' }
    const customers = [
      customer('a', { appointment_type_id: 'long' }),
      customer('b', { appointment_type_id: 'short' }),
    ]
    const planned = plan({ customers, free: [long, short], bufferMinutes: 15 })
    expect(startsOf(planned)).toEqual({ a: '2027-01-05T09:00:00.000Z', b: '2027-01-05T10:30:00.000Z' })
  })

  test('an offered time also blocks the times that leave no time for preparation and wrap-up', () => {
    const long = { ...times('2027-01-05T10:00:00Z'), typeId: 'long', durationMinutes: 60, wrapUpMinutes: 20 }
    const starts = ['2027-01-05T09:00:00Z', '2027-01-05T11:20:00Z', '2027-01-05T11:35:00Z'] as const
    const short = { ...times(...starts), typeId: 'short', prepareMinutes: 15, wrapUpMinutes: 35 }
    const customers = [
      customer('a', { appointment_type_id: 'long' }),
      customer('b', { appointment_type_id: 'short' }),
    ]
    expect(startsOf(plan({ customers, free: [long, short] }))).toEqual({
      a: '2027-01-05T10:00:00.000Z',
      b: '2027-01-05T11:35:00.000Z',
    })
  })

  test('a time that starts soon is offered to all matching customers, up to the maximum', () => {
    const free = times('2027-01-04T10:00:00Z')
    const customers = ['a', 'b', 'c', 'd'].map((id) => customer(id))
    const planned = plan({ customers, free: [free], mostTold: 3 })
    expect(planned.map(({ customerId, heldUntilMs }) => [customerId, heldUntilMs])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ])
  })
})

test('nobody is skipped, no time is held twice, and every offer matches its request (property)', () => {
  fc.assert(
    fc.property(
      fc.array(anyWish(), { maxLength: 12 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 20 }),
      fc.constantFrom(0, 15),
      (wishes, halfHours, bufferMinutes) => {
        const customers = wishes.map((wish, i) => customer(`c${i}`, wish))
        const startsMs = halfHours
          .sort((a, b) => a - b)
          .map((half) => NOW + 4 * HOUR_MS + half * 30 * MINUTE_MS)
        const free = { typeId: null, durationMinutes: 30, ...NO_OWNERS_WORK, starts: toFreed(startsMs) }
        const planned = plan({ customers, free: [free], bufferMinutes })
        expectApart(planned, (30 + bufferMinutes) * MINUTE_MS)
        expect(new Set(planned.map(({ customerId }) => customerId)).size).toBe(planned.length)
        expectFair(customers, planned)
      },
    ),
  )
})

test('offers of a year of half hours to 5,000 customers are planned within a second', async () => {
  const startsMs = Array.from({ length: 365 * 16 }, (_, i) => {
    return NOW + Math.floor(i / 16) * 24 * HOUR_MS + HOUR_MS + (i % 16) * 30 * MINUTE_MS
  })
  const free = { typeId: null, durationMinutes: 30, ...NO_OWNERS_WORK, starts: toFreed(startsMs) }
  const customers = Array.from({ length: 5_000 }, (_, i) =>
    customer(`c${i}`, { weekdays: [i % 7], to_date: '2027-04-04' }),
  )
  let planned: readonly PlannedOffer[] = []
  const costUs = await measureCpuTimeUs(() => {
    planned = plan({ customers, free: [free], mostOffers: 5_000 })
  })
  expect(costUs).toBeLessThan(1_000_000)
  expect(planned.length).toBeGreaterThan(1_000)
})

/** Expects that no two held times overlap. */
function expectApart(planned: readonly PlannedOffer[], reachMs: number): void {
  const held = planned.filter(({ heldUntilMs }) => heldUntilMs !== null).map(({ startMs }) => startMs)
  held.sort((one, other) => one - other)
  const gaps = held.slice(1).map((startMs, i) => startMs - (held[i] ?? 0))
  expect(gaps.filter((gap) => gap < reachMs)).toEqual([])
}

/**
 * Expects that every customer got a time they asked for, and that nobody who joined later got an earlier time that the customer
 * could have had.
 */
function expectFair(customers: readonly WaitingCustomer[], planned: readonly PlannedOffer[]): void {
  const got = new Map(planned.map(({ customerId, startMs }) => [customerId, startMs]))
  const fits = (one: WaitingCustomer, startMs: number) =>
    matchesRequest(one, toLocalStart(startMs, one.time_zone))
  for (const [place, one] of customers.entries()) {
    const own = got.get(one.id) ?? Infinity
    expect(own === Infinity || fits(one, own)).toBe(true)
    const later = customers.slice(place + 1).map(({ id }) => got.get(id) ?? Infinity)
    expect(later.filter((startMs) => startMs < own && fits(one, startMs))).toEqual([])
  }
}

function anyWish() {
  return fc.record({
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    dayParts: fc.uniqueArray(fc.constantFrom(...DAY_PARTS), { minLength: 1 }),
    timeZone: fc.constantFrom('Europe/London', 'Asia/Kathmandu', 'America/New_York'),
  })
}

function customer(id: string, wish: Partial<WaitingCustomer> = {}): WaitingCustomer {
  return {
    id,
    appointment_type_id: null,
    from_date: '2027-01-04',
    to_date: '2027-01-24',
    weekdays: EVERY_DAY,
    day_parts: DAY_PARTS,
    time_zone: 'Europe/London',
    joinedAtScan: 0,
    offeredBefore: new Set(),
    ...wish,
  }
}

function times(...starts: readonly string[]): SortedFreeStarts {
  return { typeId: null, durationMinutes: 30, ...NO_OWNERS_WORK, starts: toFreed(toMs(...starts)) }
}

/** Converts start times to times that became free after all customers had joined. */
function toFreed(startsMs: readonly number[]): SortedFreeStarts['starts'] {
  return startsMs.map((startMs) => ({ startMs, scanNumber: 1 }))
}

function toMs(...starts: readonly string[]): number[] {
  return starts.map((start) => Date.parse(start))
}

function plan(
  planning: Pick<Parameters<typeof planOffers>[0], 'customers' | 'free'> &
    Partial<Parameters<typeof planOffers>[0]>,
): PlannedOffer[] {
  const usual = { timeZone: 'Europe/London', bufferMinutes: 0, nowMs: NOW, mostOffers: 200, mostTold: 50 }
  return planOffers({ ...usual, ...planning })
}

function startsOf(planned: readonly PlannedOffer[]): Record<string, string> {
  return Object.fromEntries(
    planned.map(({ customerId, startMs }) => [customerId, new Date(startMs).toISOString()]),
  )
}
