import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { extendStandingSeries } from '#server/areas/appointments/series/extend-series.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { countDeadlocks, queryNumber } from '#tests/support/race-track.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

const DATES = 6
const COUNT_OF_SERIES = 'select count(*) from appointments where calendar_id = $1 and series_id is not null'
const COUNT_OF_STARTS = 'select count(distinct starts_at) from appointments where calendar_id = $1'
const COUNT = 'select count(*) from appointments where calendar_id = $1'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('of a series and customers who book its dates at once, the series gets all of its dates or none', async () => {
    const calendars = await Promise.all([0, 1].map(() => makeCalendar(meridian, owner)))
    for (const calendar of calendars) {
      const singles = [1, 4].map((week) =>
        bookAppointment(meridian, calendar.slug, { starts_at: timeOf(week) }),
      )
      const [series, ...others] = await Promise.all([bookSeries(calendar), ...singles])
      const booked = others.filter(({ statusCode }) => statusCode === 201).length
      expect([201, 409]).toContain(series?.statusCode)
      expect(booked).toBe(series?.statusCode === 201 ? 0 : 2 - countLost(others))
      expect(await queryNumber(meridian.database, COUNT_OF_SERIES, [calendar.id])).toBe(
        series?.statusCode === 201 ? DATES : 0,
      )
      await expectNoDoubleBooking(calendar)
    }
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('of 5 series at the same time, one is booked', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answers = await Promise.all(Array.from({ length: 5 }, () => bookSeries(calendar)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(await queryNumber(meridian.database, COUNT_OF_SERIES, [calendar.id])).toBe(DATES)
    await expectNoDoubleBooking(calendar)
  })

  test('of 5 customers who book a series over the same hours at once, one gets all dates and the others none', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const series_rule = JSON.stringify({ every_weeks: [1], most_dates: DATES })
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { series_rule })
    const book = (customer: number) => {
      // Each series shares only some dates with the next one.
      const shift = customer % 2
      const dates = Array.from({ length: DATES - 1 }, (_, i) => ({
        number: i + 2,
        starts_at: timeOf(i + 1 + shift),
      }))
      return bookAppointment(meridian, calendar.slug, {
        appointment_type_id,
        starts_at: timeOf(shift),
        series: { every_weeks: 1, dates },
        customer: { name: 'Grace Hopper', email: `grace-${customer}-${calendar.slug}@example.com` },
      })
    }
    const answers = await Promise.all([0, 1, 2, 3, 4].map(book))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await queryNumber(meridian.database, COUNT_OF_SERIES, [calendar.id])).toBe(DATES)
    await expectNoDoubleBooking(calendar)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('a standing appointment that two workers extend at once is extended once', async () => {
    const calendar = await makeCalendar(meridian, owner)
    expect((await bookSeries(calendar, { is_standing: true })).statusCode).toBe(201)
    const now = meridian.clock.ms
    meridian.clock.ms = now + 7 * DAY_MS
    const deps = { ...meridian.deps, jobs: meridian.jobs }
    await Promise.all([extendStandingSeries(deps), extendStandingSeries(deps)])
    meridian.clock.ms = now
    expect(await queryNumber(meridian.database, COUNT_OF_SERIES, [calendar.id])).toBe(27)
    await expectNoDoubleBooking(calendar)
  })

  async function expectNoDoubleBooking({ id }: Calendar): Promise<void> {
    expect(await queryNumber(meridian.database, COUNT_OF_STARTS, [id])).toBe(
      await queryNumber(meridian.database, COUNT, [id]),
    )
  }

  function bookSeries({ id }: Calendar, body: Record<string, unknown> = {}) {
    return meridian.as(owner).post(`/api/calendars/${id}/series`, {
      date: '2027-01-05',
      time: '09:00',
      every_weeks: 1,
      duration: 30,
      is_standing: false,
      planned: DATES,
      dates: Array.from({ length: DATES }, (_, i) => ({ number: i + 1 })),
      customer: { name: 'Grace Hopper', email: 'grace@example.com' },
      ...body,
    })
  }
})

function countLost(answers: readonly { readonly statusCode: number }[]): number {
  return answers.filter(({ statusCode }) => statusCode === 409).length
}

/** The start of a series' date, in London before the clocks change. */
function timeOf(week: number): string {
  return new Date(Date.parse('2027-01-05T09:00:00Z') + week * 7 * DAY_MS).toISOString()
}
