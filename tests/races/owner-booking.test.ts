import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { countDeadlocks, queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'
import { addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'

const RUNNERS = 20
const COUNT = 'select count(*) from appointments where calendar_id = $1'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('of an owner and a customer who book one time at once, one gets it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    for (let round = 0; round < 5; round += 1) {
      const starts_at = timeOf(round)
      const answers = await Promise.all([
        bookOwn(meridian, owner, calendar, { starts_at, outside_hours: true }),
        bookAppointment(meridian, calendar.slug, { starts_at }),
      ])
      expectOneWinner(answers, 'booking.slot_unavailable')
    }
    expect(await queryNumber(meridian.database, COUNT, [calendar.id])).toBe(5)
  })

  test('of 20 bookings that the owner insists on at once, for times that overlap, one is made', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      Array.from({ length: RUNNERS }, (_, i) =>
        bookOwn(meridian, owner, calendar, {
          date: '2027-01-09',
          time: `22:${String(i).padStart(2, '0')}`,
          customer: { name: `Runner ${i}` },
          outside_hours: true,
        }),
      ),
    )
    expectOneWinner(answers, 'booking.slot_unavailable')
    expect(await queryNumber(meridian.database, COUNT, [calendar.id])).toBe(1)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('one person who is booked 10 times at once without an address is one customer', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        bookOwn(meridian, owner, calendar, {
          starts_at: timeOf(i),
          customer: { name: i % 2 === 0 ? 'Alan Turing' : ' alan turing ', phone: i < 5 ? '+44 20' : '4420' },
        }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(201))
    const customers = 'select count(*) from customers where calendar_id = $1'
    expect(await queryNumber(meridian.database, customers, [calendar.id])).toBe(1)
  })
})

test('of two owners’ tabs on two calendars that share an exclusive place, one gets it', async () => {
  const meridian = await startOnPostgresServer({ poolSize: 10 })
  try {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const place = await addLocation(meridian, owner)
    for (const { id } of calendars) await setPrimaryLocation(meridian, id, place)
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        calendars.map((calendar) => bookOwn(meridian, owner, calendar, { starts_at: timeOf(round) })),
      )
      expectOneWinner(answers, 'booking.location_conflict')
    }
    expect(await countDeadlocks(meridian.database)).toBe(0)
  } finally {
    await meridian.stop()
  }
})

function bookOwn(
  meridian: TestMeridian,
  { cookie }: TestOwner,
  { id }: Calendar,
  body: Record<string, unknown>,
): Promise<LightMyRequestResponse> {
  return meridian.as({ cookie }).post(`/api/calendars/${id}/appointments`, {
    customer: { name: 'Grace Hopper', email: 'grace@example.com' },
    ...body,
  })
}

function expectOneWinner(
  answers: readonly LightMyRequestResponse[],
  code: 'booking.slot_unavailable' | 'booking.location_conflict',
): void {
  const losers = answers.filter((answer) => answer.statusCode !== 201)
  expect(losers.map((answer) => answer.json().title)).toEqual(
    Array(answers.length - 1).fill(PROBLEMS[code].title),
  )
}

/** The i-th half hour of a Tuesday that opens at 09:00 in London. */
function timeOf(i: number): string {
  return new Date(Date.parse('2027-01-05T09:00:00Z') + i * 1_800_000).toISOString()
}
