import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
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
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { countDeadlocks, queryNumber, queryRows, startOnPostgresServer } from '#tests/support/race-track.ts'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
  })
  afterAll(() => meridian.stop())

  test('two windows that open overlapping ranges at once get one range and one sentence', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      ['10:00', '10:30'].map((start_time) =>
        ask(meridian, owner, calendar, 'POST', '/availability', {
          day_of_week: 6,
          start_time,
          end_time: '12:00',
        }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409])
    const refused = answers.find((answer) => answer.statusCode === 409)
    expect(refused?.json().title).toBe(PROBLEMS['availability.overlap'].title)
    expect(await countRanges(meridian, calendar, 6)).toBe(1)
  })

  test('two windows that change a range at once get one change, and the other is not overwritten', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const week = (await owner.get(`/api/calendars/${calendar.id}/availability`)).json().availability
    const was = { start_time: '09:00', end_time: '17:00' }
    const answers = await Promise.all([
      ask(meridian, owner, calendar, 'PUT', `/availability/${week[0].id}`, {
        ...was,
        end_time: '12:00',
        was,
      }),
      ask(meridian, owner, calendar, 'PUT', '/availability/days', {
        days: [{ day_of_week: 1, ranges: [{ ...was, start_time: '13:00' }] }],
        was: [{ day_of_week: 1, ranges: [was] }],
      }),
    ])
    const refused = answers.filter((answer) => answer.statusCode !== 200)
    // The range has another id after its day was replaced.
    expect(refused.map((answer) => answer.json().code)).toEqual([
      expect.stringMatching(/^(request.changed_meanwhile|availability.not_found)$/),
    ])
    expect(await countRanges(meridian, calendar, 1)).toBe(1)
  })

  test('days copied at once in both directions end alike, and no range is there twice', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const copies = [
      { from_day: 1, to_days: [6, 0] },
      { from_day: 6, to_days: [1, 2] },
      { from_day: 1, to_days: [6, 2, 0] },
    ]
    const answers = await Promise.all(
      copies.map((copy) => ask(meridian, owner, calendar, 'POST', '/availability/copy', copy)),
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
    const rows = await queryRows(
      meridian.database,
      'select day_of_week from availability where calendar_id = $1 and day_of_week in (0, 1, 2, 6)',
      [calendar.id],
    )
    expect(rows.length % 4).toBe(0)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('two windows that close overlapping days at once get one entry and one sentence', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answers = await Promise.all(
      ['2027-01-11', '2027-01-12'].map((first_date) =>
        ask(meridian, owner, calendar, 'POST', '/special-days', {
          first_date,
          last_date: '2027-01-15',
          hours: [],
        }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409])
    const refused = answers.find((answer) => answer.statusCode === 409)
    expect(refused?.json().title).toBe(PROBLEMS['special_days.overlap'].title)
  })

  test('bookings and changes of the buffer at once leave nothing offered that cannot be booked', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const bookings = Array.from({ length: 16 }, (_, i) => bookAt(meridian, calendar, i))
    const changes = [30, 0, 60, 15].map((buffer_time_minutes) =>
      ask(meridian, owner, calendar, 'PATCH', '/slot-settings', { buffer_time_minutes }),
    )
    expect((await Promise.all(changes)).map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    await Promise.all(bookings)
    const url = `/api/public/calendars/${calendar.slug}/slots?date=2027-01-04`
    for (;;) {
      const [next] = (await meridian.get(url)).json().slots
      if (next === undefined) break
      const customer = { name: 'Grace', email: `${randomUUID()}@example.com` }
      const answer = await bookAppointment(meridian, calendar.slug, { starts_at: next.starts_at, customer })
      expect(answer.statusCode, answer.body).toBe(201)
    }
  })
})

describe('behind somebody else', () => {
  let meridian: TestMeridian
  let owner: TestOwner
  let other: BlockingSession

  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl'))
    meridian = await startOnPostgresServer({ url })
    owner = await makeOwner(meridian, { tier: 'business' })
    other = await openBlockingSession(url)
  })
  afterAll(async () => {
    await other.end()
    await meridian.stop()
  })

  test('a range that a program without the lock was faster to write is refused by the constraint', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const insertion = `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
      values ($1, $2, 6, '09:00', '12:00')`
    const { answer } = await other.hold([[insertion, [calendar.id, randomUUID()]]], () =>
      ask(meridian, owner, calendar, 'POST', '/availability', {
        day_of_week: 6,
        start_time: '11:00',
        end_time: '13:00',
      }),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([409, PROBLEMS['availability.overlap'].title])
  })

  test('special days that a program without the lock was faster to write are refused by the constraint', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const insertion = `insert into special_days (calendar_id, id, first_date, last_date)
      values ($1, $2, '2027-01-11', '2027-01-12')`
    const { answer } = await other.hold([[insertion, [calendar.id, randomUUID()]]], () =>
      ask(meridian, owner, calendar, 'POST', '/special-days', {
        first_date: '2027-01-12',
        last_date: '2027-01-13',
        hours: [],
      }),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([409, PROBLEMS['special_days.overlap'].title])
  })

  test('a booking waits for a day that is being closed, and is refused', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const closing = `insert into special_days (calendar_id, id, first_date, last_date)
      values ($1, $2, '2027-01-04', '2027-01-04')`
    const { answer } = await other.hold(
      [
        ['select 1 from calendars where id = $1 for no key update', [calendar.id]],
        [closing, [calendar.id, randomUUID()]],
      ],
      () => bookAt(meridian, calendar, 0),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([
      409,
      PROBLEMS['booking.slot_unavailable'].title,
    ])
  })

  test('a booking waits for settings that are being changed, and is judged by the new ones', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { answer } = await other.hold(
      [
        ['select 1 from calendars where id = $1 for no key update', [calendar.id]],
        ['delete from availability where calendar_id = $1', [calendar.id]],
      ],
      () => bookAt(meridian, calendar, 0),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([
      409,
      PROBLEMS['booking.slot_unavailable'].title,
    ])
  })

  test('a change to a calendar that is just being deleted finds nothing', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { answer } = await other.hold([['delete from calendars where id = $1', [calendar.id]]], () =>
      ask(meridian, owner, calendar, 'PATCH', '/slot-settings', { buffer_time_minutes: 5 }),
    )
    expect([answer.statusCode, answer.json().title]).toEqual([404, PROBLEMS['calendar.not_found'].title])
  })
})

function ask(
  meridian: TestMeridian,
  owner: TestOwner,
  calendar: Calendar,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  payload: object,
): Promise<LightMyRequestResponse> {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, payload })
}

/** Books the i-th half hour of Monday, counted from 09:00 in London. */
function bookAt(meridian: TestMeridian, calendar: Calendar, i: number): Promise<LightMyRequestResponse> {
  const starts_at = new Date(Date.parse('2027-01-04T09:00:00Z') + i * 1_800_000).toISOString()
  const customer = { name: `Guest ${i}`, email: `guest-${i}@${calendar.id}.example` }
  return bookAppointment(meridian, calendar.slug, { starts_at, customer })
}

function countRanges(meridian: TestMeridian, calendar: Calendar, day: number): Promise<number> {
  const text = 'select count(*) from availability where calendar_id = $1 and day_of_week = $2'
  return queryNumber(meridian.database, text, [calendar.id, day])
}
