import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { countDeadlocks, queryNumber } from '#tests/support/race-track.ts'

const RUNNERS = 20

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('of 20 customers at the last place of a limit, at 20 times of its week, exactly one gets it', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const payload = { booking_limits: [{ most: 3, unit: 'appointments', period: 'week' }] }
    const { cookie } = owner
    await meridian.request({ method: 'PATCH', url: `/api/calendars/${id}/slot-settings`, cookie, payload })
    const [first, second, ...others] = Array.from({ length: RUNNERS + 2 }, (_, i) => timeOf(i))
    for (const starts_at of [first, second]) {
      expect((await bookAppointment(meridian, slug, { starts_at })).statusCode).toBe(201)
    }
    const answers = await Promise.all(
      others.map((starts_at, i) =>
        bookAppointment(meridian, slug, {
          starts_at,
          customer: { name: `Runner ${i}`, email: `runner-${i}@example.com` },
        }),
      ),
    )
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(RUNNERS - 1)
    for (const answer of refused) {
      expect(answer.json()).toMatchObject({
        code: 'booking.fully_booked',
        title: PROBLEMS['booking.fully_booked'].title,
      })
    }
    const count = 'select count(*) from appointments where calendar_id = $1'
    expect(await queryNumber(meridian.database, count, [id])).toBe(3)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })
})

/** Half hours from 09:00 in London, from Tuesday on, eight a day. */
function timeOf(i: number): string {
  const firstMs = Date.parse('2027-01-05T09:00:00Z')
  return new Date(firstMs + Math.floor(i / 8) * DAY_MS + (i % 8) * 30 * MINUTE_MS).toISOString()
}
