import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncConnection } from '#server/areas/external-calendars/connections/sync-use-cases.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import { makeFakeProviders, makePaidCalendar, startFirstCheckout } from '#tests/support/checkouts.ts'
import {
  listStoredBusyTimes,
  makeConnectedOwner,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import { queryNumber, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { joinWaitingListAndConfirm, listWaitingListEntries } from '#tests/support/waiting.ts'

const ROUNDS = 5

testOnEachDatabaseSetup(({ start }) => {
  const providers = makeFakeProviders()
  const google = makeFakeCalendarProvider({ pageSize: 20, hasPush: false })
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start({ providers, calendarProviders: { google }, env: { DEFAULT_PLAN: 'enterprise' } })
    owner = await makeOwner(meridian)
  })
  afterAll(() => meridian.stop())

  test('of a move and a hold for one time at once, one gets it, and the time of a hold that ends can be moved to', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const free = { appointment_type_id: calendar.typeId }
    for (let round = 0; round < ROUNDS; round += 1) {
      const [from, to] = [timeOf('2027-01-05', round), timeOf('2027-01-06', round)]
      const { id } = (await bookAppointment(meridian, calendar.slug, { ...free, starts_at: from })).json()
      const [moved, held] = await Promise.all([
        round % 2 === 0 ? moveOwn(calendar, id, { from, to }) : moveByCustomer(id, { from, to }),
        startFirstCheckout(meridian, calendar, { starts_at: to }),
      ])
      expectOneWinner([moved, held])
      expect(await countTaking(calendar, to)).toBe(1)
      expect(await countTaking(calendar, from)).toBe(moved.statusCode === 200 ? 0 : 1)
      if (held.statusCode !== 201) continue
      const hold = held.json().appointment_id
      const [given, again] = await Promise.all([
        meridian.delete(`/api/public/appointments/${hold}`),
        moveOwn(calendar, id, { from, to }),
      ])
      expect(given.statusCode, given.body).toBe(204)
      expect([200, 409]).toContain(again.statusCode)
      expect((await moveOwn(calendar, id, { from, to })).statusCode).toBe(200)
      expect(await countTaking(calendar, to)).toBe(1)
    }
    await waitUntilEmailsSent(meridian.database)
  })

  test('of a move by a customer and an external event that arrives at its new time, whoever comes first: the next move is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      accounts += 1
      const account = `mover-${accounts}@example.com`
      const { calendarId, slug, connectionId, externalCalendarId } = await makeConnectedOwner(
        meridian,
        account,
      )
      await waitUntilCalendarJobsFinish(meridian)
      const [from, other, to] = [timeOf('2027-01-06', 0), timeOf('2027-01-06', 1), timeOf('2027-01-07', 0)]
      const { id } = (await bookAppointment(meridian, slug, { starts_at: from })).json()
      const { id: late } = (await bookAppointment(meridian, slug, { starts_at: other })).json()
      google.put(account, { startsAt: to, endsAt: timeOf('2027-01-07', 2) })
      const [moved] = await Promise.all([
        moveByCustomer(id, { from, to }),
        syncConnection(meridian.deps, connectionId),
      ])
      expect([200, 409], moved.body).toContain(moved.statusCode)
      expect(await listStoredBusyTimes(meridian, externalCalendarId)).toHaveLength(1)
      expect(await countTaking({ id: calendarId }, from)).toBe(moved.statusCode === 200 ? 0 : 1)
      const refused = await moveByCustomer(late, { from: other, to: timeOf('2027-01-07', 1) })
      expect(refused.json().code).toBe('booking.slot_unavailable')
      expect(await countTaking({ id: calendarId }, other)).toBe(1)
    }
    await waitUntilEmailsSent(meridian.database)
  })

  test('of a move and an offer of the waiting list for one freed time at once, one gets it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const calendar = await makeCalendar(meridian, owner)
      const [from, to] = [timeOf('2027-01-05', 0), timeOf('2027-01-06', 0)]
      const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: from })).json()
      const { id: leaving } = (await bookAppointment(meridian, calendar.slug, { starts_at: to })).json()
      // Leaves no free time except the one that is about to be freed.
      await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
      await meridian.database.execute(
        `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
         values ($1, gen_random_uuid(), 3, '09:00', '09:30')`,
        [calendar.id],
      )
      const wish = { email: `waits-${round}@example.com`, to_date: '2027-01-08' }
      await joinWaitingListAndConfirm(meridian, calendar.slug, wish)
      await meridian.database.execute(`update appointments set status = 'cancelled' where id = $1`, [leaving])
      const [, moved] = await Promise.all([
        scanWaitingList(meridian.deps, calendar.id),
        moveByCustomer(id, { from, to }),
      ])
      const offers = (await listWaitingListEntries(meridian, owner, calendar)).entries[0]?.offers ?? []
      expect(offers.length, moved.body).toBe(moved.statusCode === 200 ? 0 : 1)
      expect(await countTaking(calendar, to)).toBe(1)
      expect(await countTaking(calendar, from)).toBe(moved.statusCode === 200 ? 0 : 1)
    }
    await waitUntilEmailsSent(meridian.database)
  })

  test('in the hour that occurs twice each of its halves is a time of its own, and each has one winner', async () => {
    const calendar = await makeCalendar(meridian, owner)
    // London's clocks go back on 31 October 2027 at 2:00, so 1:30 occurs at 0:30 UTC and at 1:30 UTC.
    const [first, second] = ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z']
    const starts = [0, 1, 2, 3].map((i) => timeOf('2027-01-05', i))
    const ids: string[] = []
    for (const starts_at of starts)
      ids.push((await bookAppointment(meridian, calendar.slug, { starts_at })).json().id)
    const answers = await Promise.all(
      ids.map((id, i) => moveOwn(calendar, id, { from: starts[i] ?? '', to: i % 2 === 0 ? first : second })),
    )
    expectOneWinner([answers[0], answers[2]])
    expectOneWinner([answers[1], answers[3]])
    expect([await countTaking(calendar, first), await countTaking(calendar, second)]).toEqual([1, 1])
    // Both appointments move away from there at once, to the same time.
    const inside = [0, 1, 2, 3].filter((i) => answers[i]?.statusCode === 200)
    const back = await Promise.all(
      inside.map((i) =>
        moveOwn(calendar, ids[i] ?? '', { from: i % 2 === 0 ? first : second, to: timeOf('2027-01-07', 0) }),
      ),
    )
    expectOneWinner(back)
    expect((await countTaking(calendar, first)) + (await countTaking(calendar, second))).toBe(1)
    await waitUntilEmailsSent(meridian.database)
  })

  type Move = { readonly from: string; readonly to: string }

  function moveOwn({ id: calendarId }: { id: string }, id: string, { from, to }: Move) {
    return owner.post(`/api/calendars/${calendarId}/appointments/${id}/move`, {
      starts_at: to,
      expected_starts_at: from,
      outside_hours: true,
    })
  }

  function moveByCustomer(id: string, { from, to }: Move): Promise<LightMyRequestResponse> {
    return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
      starts_at: to,
      expected_starts_at: from,
    })
  }

  function countTaking({ id }: { id: string }, startsAt: string): Promise<number> {
    const text = `select count(*) from appointments where calendar_id = $1 and starts_at = $2
      and status <> 'cancelled' and released_at is null`
    return queryNumber(meridian.database, text, [id, startsAt])
  }
})

let accounts = 0

const TAKEN = ['appointment.move_conflict', 'booking.slot_unavailable']

function expectOneWinner(answers: readonly (LightMyRequestResponse | undefined)[]): void {
  const losers = answers.filter((answer) => answer === undefined || answer.statusCode > 201)
  expect(losers, answers.map((answer) => answer?.body).join('\n')).toHaveLength(answers.length - 1)
  for (const loser of losers) expect(TAKEN).toContain(loser?.json().code)
}

/** The i-th half hour of a day that opens at 09:00 in London. */
function timeOf(date: string, i: number): string {
  return new Date(Date.parse(`${date}T09:00:00Z`) + i * 1_800_000).toISOString()
}
