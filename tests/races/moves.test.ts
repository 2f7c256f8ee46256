import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { APPOINTMENT_EVENT_JOB } from '#server/records/appointments/event-job.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { waitUntilJobsFinish } from '#tests/support/connected-calendar.ts'
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
import {
  countDeadlocks,
  queryNumber,
  startOnPostgresServer,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'
import { addAppointments, addLocation, setPrimaryLocation } from '#tests/support/stored-rows.ts'
import {
  buildSyncRunner,
  connectAccountToWriteTo,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'

const TAKEN = ['appointment.move_conflict', 'booking.slot_unavailable']

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('of 8 appointments that are moved to one time at once, one gets it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const starts = Array.from({ length: 8 }, (_, i) => timeOf('2027-01-05', i))
    const ids = await addAppointments(
      meridian,
      calendar.id,
      starts.map((startsAt) => ({ startsAt })),
    )
    const answers = await Promise.all(
      ids.map((id, i) => move(calendar, id, { from: starts[i] ?? '', to: timeOf('2027-01-06', 0) })),
    )
    expectOneWinner(answers)
    expect(await countAt(calendar, timeOf('2027-01-06', 0))).toBe(1)
  })

  test('of a move and a booking of one time at once, one gets it, and the other stays where it was', async () => {
    const calendar = await makeCalendar(meridian, owner)
    for (let round = 0; round < 6; round += 1) {
      const [from, to] = [timeOf('2027-01-05', round), timeOf('2027-01-06', round)]
      const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: from })).json()
      const answers = await Promise.all([
        move(calendar, id, { from, to }),
        bookAppointment(meridian, calendar.slug, { starts_at: to }),
      ])
      expectOneWinner(answers)
      expect(await countAt(calendar, to)).toBe(1)
      expect(await countAt(calendar, from)).toBe(answers[0].statusCode === 200 ? 0 : 1)
    }
  })

  test('of a move by a customer, a move by the owner, a restore and a booking of one time at once, one gets it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    for (let round = 0; round < 5; round += 1) {
      const to = timeOf('2027-01-06', round)
      const [theirs, own] = [timeOf('2027-01-05', 2 * round), timeOf('2027-01-05', 2 * round + 1)]
      const cancelled = (await bookAppointment(meridian, calendar.slug, { starts_at: to })).json().id
      await act(calendar, cancelled, 'cancel', 'confirmed')
      const [byCustomer, byOwner] = [
        (await bookAppointment(meridian, calendar.slug, { starts_at: theirs })).json().id,
        (await bookAppointment(meridian, calendar.slug, { starts_at: own })).json().id,
      ]
      const answers = await Promise.all([
        meridian.post(`/api/public/manage/${manageTokenOf(meridian, byCustomer)}/move`, {
          starts_at: to,
          expected_starts_at: theirs,
        }),
        move(calendar, byOwner, { from: own, to }),
        act(calendar, cancelled, 'restore', 'cancelled'),
        bookAppointment(meridian, calendar.slug, { starts_at: to }),
      ])
      const winners = answers.filter(({ statusCode }) => statusCode < 300)
      expect(winners, answers.map(({ body }) => body).join('\n')).toHaveLength(1)
      expect(await countAt(calendar, to)).toBe(1)
      expect(await countAt(calendar, theirs)).toBe(answers[0]?.statusCode === 200 ? 0 : 1)
      expect(await countAt(calendar, own)).toBe(answers[1]?.statusCode === 200 ? 0 : 1)
    }
    await waitUntilEmailsSent(meridian.database)
  })

  test('of 8 presses of Undo and of Move at once each leaves one live message, or none', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const [from, to] = [timeOf('2027-01-05', 0), timeOf('2027-01-06', 0)]
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: from })).json()
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0 ? move(calendar, id, { from, to }) : move(calendar, id, { from: to, to: from }),
      ),
    )
    await waitUntilEmailsSent(meridian.database)
    const live = `select count(*) from appointment_messages m join appointments a on a.id = m.appointment_id
      where a.id = $1 and m.kind = 'moved' and m.sequence = a.sequence and m.state <> 'dropped'`
    expect(await queryNumber(meridian.database, live, [id])).toBeLessThanOrEqual(1)
    expect((await countAt(calendar, from)) + (await countAt(calendar, to))).toBe(1)
  })

  test('of 6 windows in which one appointment is moved to six times, one moves it, and its customer is told once', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const from = timeOf('2027-01-05', 0)
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: from })).json()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => move(calendar, id, { from, to: timeOf('2027-01-06', i) })),
    )
    const losers = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(losers.map((answer) => answer.json().code)).toEqual(Array(5).fill('appointment.changed_meanwhile'))
    const told = `select count(*) from appointment_messages where appointment_id = $1 and kind = 'moved'`
    expect(await queryNumber(meridian.database, told, [id])).toBe(1)
    await waitUntilEmailsSent(meridian.database)
  })

  function move(
    { id: calendarId }: Calendar,
    id: string,
    { from, to }: { from: string; to: string },
  ): Promise<LightMyRequestResponse> {
    return owner.post(`/api/calendars/${calendarId}/appointments/${id}/move`, {
      starts_at: to,
      expected_starts_at: from,
      outside_hours: true,
    })
  }

  function act(calendar: Calendar, id: string, action: AppointmentAction, status: string) {
    const was = { status, payment_status: 'not_required' }
    return sendAppointmentAction({ meridian, owner, calendar }, id, { action, was })
  }

  function countAt({ id }: Calendar, startsAt: string): Promise<number> {
    const text = `select count(*) from appointments where calendar_id = $1 and starts_at = $2 and status <> 'cancelled'`
    return queryNumber(meridian.database, text, [id, startsAt])
  }
})

test('two calendars whose appointments are moved to one time at an exclusive place: one gets it', async () => {
  const meridian = await startOnPostgresServer({ poolSize: 10 })
  try {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const place = await addLocation(meridian, owner)
    for (const { id } of calendars) await setPrimaryLocation(meridian, id, place)
    for (let round = 0; round < 5; round += 1) {
      const [from, other, to] = [
        timeOf('2027-01-05', round),
        timeOf('2027-01-07', round),
        timeOf('2027-01-06', round),
      ]
      const moves = calendars.map(async (calendar, i) => {
        const startsAt = i === 0 ? from : other
        const booked = await bookAppointment(meridian, calendar.slug, { starts_at: startsAt })
        return { calendar, id: booked.json().id, startsAt }
      })
      const answers = await Promise.all(
        (await Promise.all(moves)).map(({ calendar, id, startsAt }) =>
          owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
            starts_at: to,
            expected_starts_at: startsAt,
          }),
        ),
      )
      const losers = answers.filter(({ statusCode }) => statusCode !== 200)
      expect(losers.map((answer) => answer.json().code)).toEqual(['appointment.move_location_taken'])
    }
    expect(await countDeadlocks(meridian.database)).toBe(0)
  } finally {
    await meridian.stop()
  }
})

test('an event that is moved there while its new time is booked here: one gets it, and the event says the same', async () => {
  const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
  const meridian = await startOnPostgresServer({ poolSize: 10, calendarProviders: { caldav: provider } })
  try {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const calendar = await makeCalendar(meridian, owner)
    const written = await connectAccountToWriteTo(meridian, owner, calendar, 'ada')
    const sync = await buildSyncRunner(meridian, provider, written)
    for (let round = 0; round < 5; round += 1) {
      const [from, to] = [timeOf('2027-01-05', round), timeOf('2027-01-06', round)]
      const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: from })).json()
      await waitUntilEventsWritten(meridian, calendar)
      const end = new Date(Date.parse(to) + 1_800_000).toISOString()
      provider.move(written.externalId, id.replaceAll('-', ''), to, end)
      const [, booked] = await Promise.all([
        sync(),
        bookAppointment(meridian, calendar.slug, { starts_at: to }),
      ])
      await waitUntilEventsWritten(meridian, calendar)
      const there = provider.list(written.externalId).find(({ appointmentId }) => appointmentId === id)
      const expected = booked.statusCode === 201 ? from : to
      expect(there?.occurrences[0]?.startMs).toBe(Date.parse(expected))
      const atTime = 'select count(*) from appointments where id = $1 and starts_at = $2'
      expect(await queryNumber(meridian.database, atTime, [id, expected])).toBe(1)
    }
    expect(await countDeadlocks(meridian.database)).toBe(0)
    await waitUntilEmailsSent(meridian.database)
  } finally {
    await meridian.stop()
  }
})

test('two rounds that write what waits at once make one event of each appointment', async () => {
  const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
  const meridian = await startOnPostgresServer({ poolSize: 10, calendarProviders: { caldav: provider } })
  try {
    const owner = await makeOwner(meridian, { tier: 'business' })
    const calendar = await makeCalendar(meridian, owner)
    await connectAccountToWriteTo(meridian, owner, calendar, 'ada')
    provider.fallSilent()
    for (let i = 0; i < 10; i += 1) {
      await bookAppointment(meridian, calendar.slug, { starts_at: timeOf('2027-01-05', i) })
    }
    // Wait, because the sweep skips an account while a job still writes to it.
    await waitUntilJobsFinish(meridian, [APPOINTMENT_EVENT_JOB.name])
    provider.answer()
    meridian.clock.ms += 3_600_000
    await Promise.all([runEventSweep(meridian), runEventSweep(meridian), runEventSweep(meridian)])
    await waitUntilEventsWritten(meridian, calendar)
    expect(new Set(provider.list('ada').map(({ appointmentId }) => appointmentId)).size).toBe(10)
    expect(provider.list('ada')).toHaveLength(10)
    await waitUntilEmailsSent(meridian.database)
  } finally {
    await meridian.stop()
  }
})

function expectOneWinner(answers: readonly LightMyRequestResponse[]): void {
  const losers = answers.filter(({ statusCode }) => statusCode > 201)
  expect(losers, answers.map(({ body }) => body).join('\n')).toHaveLength(answers.length - 1)
  for (const answer of losers) expect(TAKEN).toContain(answer.json().code)
}

/** The i-th half hour of a day that opens at 09:00 in London. */
function timeOf(date: string, i: number): string {
  return new Date(Date.parse(`${date}T09:00:00Z`) + i * 1_800_000).toISOString()
}
