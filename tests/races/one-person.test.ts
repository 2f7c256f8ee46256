import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BulkChangePreview } from '#contract/appointments/whole-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { countDeadlocks, printDuration, queryNumber, queryRows } from '#tests/support/race-track.ts'

/**
 * A person is booked only once at a time across all their calendars, whatever happens at the same moment. Source: rules T39 and
 * T41.
 */

const NINE = '2027-01-04T09:00:00Z'

testOnEachDatabaseSetup(({ where, start }) => {
  let meridian: TestMeridian
  let owner: TestOwner
  let calendars: Calendar[]

  beforeAll(async () => {
    meridian = await start({ env: { DEFAULT_PLAN: 'enterprise' } })
  })
  afterAll(() => meridian.stop())
  beforeEach(async () => {
    owner = await makeOwner(meridian)
    calendars = []
    for (let i = 0; i < 4; i += 1) calendars.push(await makeCalendar(meridian, owner, { person_name: '' }))
  })

  test('60 people at one instant: each time has one winner', async () => {
    const startMs = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => bookAs(i, i < 40 ? NINE : '2027-01-04T09:30:00Z')),
    )
    printDuration(`60 bookings of one person over 4 calendars on ${where}`, performance.now() - startMs)
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(new Set(refused.map((answer) => answer.json().code))).toEqual(
      new Set(['booking.slot_unavailable']),
    )
    await expectNoOverlap()
  })

  test('bookings, restored and moved appointments, whole days and a change of buffers', async () => {
    const [a, b, c, d] = calendars
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      throw new Error('there are four')
    const cancelled = (await bookAs(0, NINE)).json<{ id: string }>().id
    expect(
      (await sendAppointmentAction({ meridian, owner, calendar: a }, cancelled, { action: 'cancel' }))
        .statusCode,
    ).toBe(200)
    const moved = (await bookAs(1, '2027-01-05T09:00:00Z')).json<{ id: string }>().id
    const answers = await Promise.all([
      ...Array.from({ length: 24 }, (_, i) =>
        bookAs(i, new Date(Date.parse(NINE) + (i % 3) * 1_800_000).toISOString()),
      ),
      sendAppointmentAction({ meridian, owner, calendar: a }, cancelled, { action: 'restore' }),
      asOwner(b, 'POST', `/appointments/${moved}/move`, {
        starts_at: NINE,
        expected_starts_at: '2027-01-05T09:00:00Z',
        outside_hours: true,
      }),
      asOwner(c, 'PATCH', '/slot-settings', { buffer_time_minutes: 15 }),
      asOwner(d, 'PATCH', '/slot-settings', { buffer_time_minutes: 30 }),
      cancelDay(a, b),
      cancelDay(b, a),
    ])
    expect(listErrors(answers)).toEqual([])
    await expectNoOverlap()
  })

  test('a calendar that is given to somebody else while people book on it, and back', async () => {
    const [a] = calendars
    if (a === undefined) throw new Error('there are four')
    const give = (body: object) => asOwner(a, 'PUT', '/person', body)
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => bookAs(i, NINE)),
      give({ name: 'Jon Osei' }),
      ...Array.from({ length: 20 }, (_, i) => bookAs(20 + i, NINE)),
      give({ person_id: owner.id }),
    ])
    expect(listErrors(answers)).toEqual([])
    await expectNoOverlap()
    const astray = `select count(*) from appointments join calendars on calendars.id = appointments.calendar_id
      where appointments.host_id <> calendars.host_id`
    expect(await queryNumber(meridian.database, astray)).toBe(0)
  })

  test('calendars that are deleted while people book on the others', async () => {
    const [a, b] = calendars
    if (a === undefined || b === undefined) throw new Error('there are four')
    expect((await bookAs(0, NINE)).statusCode).toBe(201)
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => bookAs(i, NINE)),
      asOwner(a, 'DELETE', ''),
      asOwner(b, 'DELETE', ''),
    ])
    expect(listErrors(answers)).toEqual([])
    await expectNoOverlap()
  })

  /** Returns the bodies of unexpected errors (status 500 and above), with the errors in the log. */
  function listErrors(answers: readonly LightMyRequestResponse[]): string[] {
    const errors = meridian.logLines.filter((line) => Number(JSON.parse(line).level) >= 50)
    return answers.filter(({ statusCode }) => statusCode >= 500).flatMap(({ body }) => [body, ...errors])
  }

  function bookAs(i: number, startsAt: string) {
    const slug = calendars[i % calendars.length]?.slug ?? ''
    const customer = { name: `Runner ${i}`, email: `runner-${i}-${randomUUID()}@example.com` }
    return bookAppointment(meridian, slug, { starts_at: startsAt, customer })
  }

  /** Cancels the day on both calendars, with the effect that the owner was shown. */
  async function cancelDay(first: Calendar, second: Calendar) {
    const days = { from: '2027-01-05', to: '2027-01-05' }
    const effect = async ({ id }: Calendar) => {
      const query = new URLSearchParams(days)
      const response = await owner.get(`/api/calendars/${id}/many-changes/effect?${query}`)
      return response.json<BulkChangePreview>().digest
    }
    const [digest, other] = [await effect(first), await effect(second)]
    return asOwner(first, 'POST', '/many-changes', {
      ...days,
      id: randomUUID(),
      kind: 'cancel',
      refund: 'all',
      message: 'Ill.',
      digest,
      others: [{ calendar_id: second.id, digest: other }],
      close_days: false,
    })
  }

  function asOwner(
    { id }: Calendar,
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
  ) {
    const url = `/api/calendars/${id}${path}`
    return meridian.request({
      method,
      url,
      cookie: owner.cookie,
      ...(payload === undefined ? {} : { payload }),
    })
  }

  /** Expects that no two appointments of one person overlap, and that no deadlock occurred. */
  async function expectNoOverlap(): Promise<void> {
    const overlapping = await queryRows(
      meridian.database,
      `select a.id from appointments a join appointments b on a.host_id = b.host_id and a.id < b.id
         and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
       where a.status <> 'cancelled' and a.released_at is null and b.status <> 'cancelled' and b.released_at is null`,
    )
    expect(overlapping).toEqual([])
    expect(await countDeadlocks(meridian.database)).toBe(0)
  }
})
