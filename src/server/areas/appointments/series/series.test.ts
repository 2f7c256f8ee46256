import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { CreateSeriesResponse, PlannedDate, SeriesResponse } from '#contract/appointments/series.ts'
import type { PageProblem } from '#contract/availability/page-problems.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'
import { extendStandingSeries } from './extend-series.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const RULE = { date: '2027-01-05', time: '10:00', every_weeks: 1, duration: 30 }
const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' }

describe('the plan', () => {
  test('shows each date with what speaks against it, and near times', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-12T10:00:00Z', minutes: 30 })
    await closeDay('2027-01-19')
    const { dates } = await plan({ count: '4' })
    expect(dates.map(({ date, reasons }) => [date, reasons])).toEqual([
      ['2027-01-05', []],
      ['2027-01-12', ['busy']],
      ['2027-01-19', ['special_day']],
      ['2027-01-26', []],
    ])
    expect(dates[1]?.near_times.map(({ starts_at }) => starts_at.slice(0, 16))).toEqual([
      '2027-01-12T09:00',
      '2027-01-12T09:30',
      '2027-01-12T10:30',
    ])
    expect(dates[0]?.near_times).toEqual([])
  })

  test('of 52 dates takes as many statements as one of two', async () => {
    const statements = recordStatements()
    const count = async (dates: string) => (await statements.during(() => plan({ count: dates }))).length
    await plan({ count: '2' })
    const few = await count('2')
    expect(await count('52')).toBe(few)
    statements.stop()
  })

  test.each([
    ['one date', { count: '1' }, 'series.count_invalid'],
    ['53 dates', { count: '53' }, 'series.count_invalid'],
    ['a last date that leaves one date', { until: '2027-01-11' }, 'series.count_invalid'],
    ['a last date that leaves 53 dates', { until: '2028-01-04' }, 'series.count_invalid'],
    ['a first date in the past', { date: '2026-12-29', count: '3' }, 'booking.too_long_ago'],
    ['a first date in the year 2200', { date: '2200-12-31', count: '3' }, 'booking.too_far_ahead'],
  ] as const)('refuses %s', async (_case, asked, code) => {
    expectRefusal(await askForPlan({ count: '', ...asked }), code)
  })

  test('of a standing appointment has the dates of 26 weeks', async () => {
    expect((await plan({})).dates).toHaveLength(26)
  })
})

describe('booking', () => {
  test('makes an ordinary appointment of each date, and one email names all dates and has one file', async () => {
    const booked = await bookThree()
    expect(booked.confirmation_email_queued).toBe(true)
    const rows = await listRows()
    expect(rows.map(({ starts_at, series, status }) => [starts_at, series?.number, status])).toEqual([
      ['2027-01-05T10:00:00.000Z', 1, 'confirmed'],
      ['2027-01-12T10:00:00.000Z', 2, 'confirmed'],
      ['2027-01-19T10:00:00.000Z', 3, 'confirmed'],
    ])
    expect(new Set(rows.map(({ customers }) => customers.id)).size).toBe(1)
    expect(new Set(rows.map(({ booking_reference }) => booking_reference)).size).toBe(3)
    const reference = rows[0]?.booking_reference ?? ''
    const mail = await meridian.waitForMail(({ text }) => text.includes(reference))
    expect(mail.subject).toMatch(/^Appointments booked: /)
    for (const date of ['January 5', 'January 12', 'January 19']) expect(mail.text).toContain(date)
    expect(new Set(mail.text.match(/\/manage\/\S+/g)).size).toBe(3)
    const [file, ...others] = mail.attachments ?? []
    expect(others).toEqual([])
    expect(String(file?.content).match(/BEGIN:VEVENT/g)).toHaveLength(3)
    expect(String(file?.content)).toContain('METHOD:PUBLISH')
    expect(await countMails('booking_confirmation')).toBe(1)
  })

  test('of a customer without an address makes one customer', async () => {
    await bookSeries({ customer: { name: 'Ada King', phone: '+44 20 7946 0000' } })
    expect(new Set((await listRows()).map(({ customers }) => customers.id)).size).toBe(1)
  })

  test('leaves dates out, and takes other times for some', async () => {
    const dates = [{ number: 1 }, { number: 3, starts_at: '2027-01-20T14:00:00Z' }]
    const { appointments } = await bookSeries({ planned: 4, dates })
    expect(appointments.map(({ starts_at }) => starts_at)).toEqual([
      '2027-01-05T10:00:00.000Z',
      '2027-01-20T14:00:00.000Z',
    ])
  })

  test('books nothing if one date cannot be booked, and names that date', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-12T10:15:00Z', minutes: 30 })
    const answer = await postSeries({ dates: anyway(3) })
    expectRefusal(answer, 'series.dates_unavailable')
    expect(answer.json().errors).toEqual([{ path: 'dates.2', message: 'This time is taken.' }])
    expect(await listRows()).toHaveLength(1)
    expect(await countRows('series')).toBe(0)
  })

  test('asks about a time that customers are not offered, and books it when the owner says so', async () => {
    await closeDay('2027-01-12')
    expectRefusal(await postSeries(), 'series.dates_unavailable')
    const dates = [{ number: 1 }, { number: 2, outside_hours: true }, { number: 3 }]
    expect((await bookSeries({ dates })).appointments).toHaveLength(3)
  })

  test('refuses another time with seconds', async () => {
    const dates = [{ number: 1 }, { number: 2, starts_at: '2027-01-13T14:00:30Z' }]
    expectRefusal(await postSeries({ dates }), 'request.invalid')
  })

  test('counts its own dates towards a limit', async () => {
    await meridian.database.db
      .insertInto('booking_limits')
      .values({ calendar_id: calendar.id, id: randomUUID(), period: 'month', unit: 'appointments', most: 2 })
      .execute()
    const answer = await postSeries()
    expectRefusal(answer, 'series.dates_unavailable')
    expect(answer.json().errors).toEqual([{ path: 'dates.3', message: 'Your limit is reached.' }])
  })

  test('with one key books once, and refuses the key for other dates', async () => {
    const key = randomUUID()
    const first = await postSeries({}, key)
    const again = await postSeries({}, key)
    expect(again.json()).toEqual(first.json())
    expect(await listRows()).toHaveLength(3)
    expectRefusal(
      await postSeries({ planned: 2, dates: [{ number: 1 }, { number: 2 }] }, key),
      'request.key_reused',
    )
  })

  test('keeps the price of the type, and copies the answers to each date', async () => {
    const typeId = await addAppointmentType(meridian, calendar.id, {
      name: 'Session',
      duration: 50,
      price_cents: 9000,
    })
    const question = {
      id: randomUUID(),
      appointment_type_id: null,
      kind: 'text',
      label: 'What brings you here?',
      help: null,
      is_required: true,
      is_private: true,
      choices: [],
      shown_if: null,
    }
    await meridian.as(owner).put(`/api/calendars/${calendar.id}/questions`, { questions: [question] })
    const { duration: _own, ...rule } = RULE
    const body = { ...rule, duration: undefined, appointment_type_id: typeId }
    await bookSeries({ ...body, answers: [{ question_id: question.id, value: ['Sleep'] }] })
    for (const row of await listRows()) {
      expect(row).toMatchObject({ price: 90, payment_status: 'pending', has_answers: true })
      const url = `/api/calendars/${calendar.id}/appointments/${row.id}/answers`
      expect((await meridian.as(owner).get(url)).json().answers).toMatchObject([{ value: ['Sleep'] }])
    }
  })

  test('refuses the 51st standing appointment of a calendar', async () => {
    for (let i = 0; i < 50; i++) await addStanding(calendar)
    expectRefusal(await postSeries({ is_standing: true }), 'series.too_many_standing')
    expect((await postSeries()).statusCode).toBe(201)
  })

  test('is for the owner of the calendar', async () => {
    const { cookie } = await makeOwner(meridian)
    const url = `/api/calendars/${calendar.id}/series`
    const { series_id: id } = await bookThree()
    for (const answer of [
      await meridian.as({ cookie }).post(url, toBody()),
      await meridian.as({ cookie }).get(`${url}/${id}`),
      await meridian.as({ cookie }).post(`${url}/${id}/end`, { cancel_from: 1 }),
    ]) {
      expectRefusal(answer, 'calendar.forbidden')
    }
    expectRefusal(await meridian.as(owner).get(`${url}/${randomUUID()}`), 'series.not_found')
  })
})

describe('ending a series', () => {
  test('cancels an appointment and all later ones, with one email to each side, and keeps earlier ones', async () => {
    const { series_id: id, appointments } = await bookThree()
    const reference = appointments[1]?.booking_reference ?? ''
    expect(await end(id, 2)).toEqual({ cancelled: 2, kept: 0 })
    const { dates } = await getSeries(id)
    expect(dates.map(({ status }) => status)).toEqual(['confirmed', 'cancelled', 'cancelled'])
    const mail = await meridian.waitForMail(
      ({ subject, text }) => subject.startsWith('Appointments cancelled') && text.includes(reference),
    )
    expect(mail.text).toContain('2 appointments with')
    expect(mail.text).toContain('January 19')
    expect(String(mail.attachments?.[0]?.content).match(/STATUS:CANCELLED/g)).toHaveLength(2)
    expect(await countMails('cancelled')).toBe(1)
    expect(await countMails('owner_cancelled')).toBe(1)
    const free = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-12T10:00:00Z' })
    expect(free.statusCode).toBe(201)
    expect(await end(id, 2)).toEqual({ cancelled: 0, kept: 0 })
  })

  test('leaves a date that waits for its payment, which an action on the payment settles. Source: rule B45', async () => {
    const { series_id: id, appointments } = await bookThree()
    const waiting = appointments[1]?.id ?? ''
    expect(
      (await sendAppointmentAction({ meridian, owner, calendar }, waiting, { action: 'mark_pending' }))
        .statusCode,
    ).toBe(200)
    expect(await end(id, 1)).toEqual({ cancelled: 2, kept: 1 })
    const { dates } = await getSeries(id)
    expect(dates.map(({ status, payment_status }) => [status, payment_status])).toEqual([
      ['cancelled', 'not_required'],
      ['pending_payment', 'pending'],
      ['cancelled', 'not_required'],
    ])
    expect(
      (await sendAppointmentAction({ meridian, owner, calendar }, waiting, { action: 'mark_failed' }))
        .statusCode,
    ).toBe(200)
    expect((await getSeries(id)).dates[1]?.status).toBe('cancelled')
  })

  test('without cancelling, books no further dates', async () => {
    const { series_id: id } = await bookSeries({ is_standing: true })
    expect(await getSeries(id)).toMatchObject({ is_standing: true })
    await end(id, null)
    expect(await getSeries(id)).toMatchObject({ is_standing: false })
    await extendAt(TEST_MONDAY + 70 * DAY_MS)
    expect(await listRows('all')).toHaveLength(3)
  })
})

describe('a standing appointment', () => {
  test('is booked 26 weeks ahead each day, and each date once', async () => {
    await bookStanding()
    await extendAt(TEST_MONDAY)
    expect(await listRows()).toHaveLength(26)
    await extendAt(TEST_MONDAY + 14 * DAY_MS)
    await extendAt(TEST_MONDAY + 14 * DAY_MS)
    const rows = await listRows('all')
    expect(rows).toHaveLength(28)
    expect(rows.map(({ series }) => series?.number)).toContain(28)
    expect(rows.find(({ series }) => series?.number === 28)).toMatchObject({
      starts_at: '2027-07-13T09:00:00.000Z',
      status: 'confirmed',
      customers: { name: 'Grace Hopper', email: 'grace@example.com' },
    })
    expect(await countMails('booking_confirmation')).toBe(1)
  })

  test('that cannot be booked on a date is reported once, in an email and on the dashboard', async () => {
    await bookStanding()
    await closeDay('2027-07-06')
    await extendAt(TEST_MONDAY + 7 * DAY_MS)
    await extendAt(TEST_MONDAY + 7 * DAY_MS + 60_000)
    expect(await listRows('all')).toHaveLength(26)
    expect(await listProblems()).toEqual([
      {
        calendar_id: calendar.id,
        calendar_name: calendar.name,
        kind: 'standing_date_missed',
        appointment_type_name: null,
        missed_date: { customer_name: 'Grace Hopper', date: '2027-07-06', reason: 'special_day' },
      },
    ])
    const mail = await meridian.waitForMail(
      ({ subject }) => subject === `A standing appointment could not be booked: ${calendar.name}`,
    )
    expect(mail.text).toContain('could not be booked on Tue, July 6, 2027')
    expect(await countJobs('page-problem-mail')).toBe(1)
    await extendAt(TEST_MONDAY + 14 * DAY_MS)
    expect(await listRows('all')).toHaveLength(27)
  })

  test('outside the hours from its first date on is booked there without asking again', async () => {
    const rule = { time: '20:00', is_standing: true, dates: anyway(3) }
    await bookSeries(rule)
    await extendAt(TEST_MONDAY)
    expect(await listRows()).toHaveLength(26)
  })

  test('ends when its type was deleted, and the owner is told', async () => {
    const typeId = await addAppointmentType(meridian, calendar.id, { name: 'Session' })
    await bookSeries({ duration: undefined, appointment_type_id: typeId, is_standing: true })
    await meridian.database.db.deleteFrom('appointment_types').where('id', '=', typeId).execute()
    await extendAt(TEST_MONDAY + 7 * DAY_MS)
    await extendAt(TEST_MONDAY + 14 * DAY_MS)
    expect(await listProblems()).toMatchObject([
      { missed_date: { date: '2027-01-26', reason: 'type_deleted' } },
    ])
    expect(await listRows('all')).toHaveLength(3)
  })

  test('follows the customer into a merged record, and ends when their data is erased', async () => {
    await bookStanding()
    await bookAppointment(meridian, calendar.slug, {
      starts_at: '2027-01-06T12:00:00Z',
      customer: { name: 'Ada King', email: 'ada.king@example.com' },
    })
    const rows = await listRows()
    const grace = rows.find(({ series }) => series !== null)?.customers.id
    const other = rows.find(({ series }) => series === null)?.customers.id
    const customer = `/api/calendars/${calendar.id}/customers/${other}`
    const merged = await meridian.as(owner).post(`${customer}/merge`, { other_id: grace })
    expect(merged.statusCode, merged.body).toBe(200)
    await extendAt(TEST_MONDAY + 7 * DAY_MS)
    const after = (await listRows('all')).filter(({ series }) => series !== null)
    expect(after).toHaveLength(27)
    expect(new Set(after.map(({ customers }) => customers.id))).toEqual(new Set([other]))

    await meridian.database.db
      .updateTable('appointments')
      .set({ status: 'cancelled' })
      .where('calendar_id', '=', calendar.id)
      .execute()
    const erased = await meridian.as(owner).delete(`${customer}/record`)
    expect(erased.statusCode, erased.body).toBeLessThan(300)
    await extendAt(TEST_MONDAY + 14 * DAY_MS)
    expect((await listRows('all')).filter(({ series }) => series !== null)).toHaveLength(27)
    expect(await countOpen()).toBe(0)
  })
})

test('a copied calendar has no series, and deleting a calendar deletes its series', async () => {
  await bookStanding()
  const copy = await meridian.as(owner).post(`/api/calendars/${calendar.id}/copies`, { name: 'Copy' })
  expect(copy.statusCode, copy.body).toBe(201)
  expect(await countRows('series')).toBe(1)
  const removed = await meridian.as(owner).delete(`/api/calendars/${calendar.id}`)
  expect(removed.statusCode, removed.body).toBeLessThan(300)
  expect(await countRows('series')).toBe(0)
})

function toBody(body: Record<string, unknown> = {}) {
  return {
    ...RULE,
    is_standing: false,
    planned: 3,
    dates: [{ number: 1 }, { number: 2 }, { number: 3 }],
    customer: GRACE,
    ...body,
  }
}

function anyway(count: number) {
  return Array.from({ length: count }, (_, i) => ({ number: i + 1, outside_hours: true }))
}

function postSeries(body: Record<string, unknown> = {}, key?: string) {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/series`,
    cookie: owner.cookie,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    payload: toBody(body),
  })
}

async function bookSeries(body: Record<string, unknown> = {}): Promise<CreateSeriesResponse> {
  const answer = await postSeries(body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

function bookThree() {
  return bookSeries()
}

/** Books a standing appointment on the dates of 26 weeks. */
function bookStanding() {
  const dates = Array.from({ length: 26 }, (_, i) => ({ number: i + 1 }))
  return bookSeries({ is_standing: true, planned: 26, dates })
}

function askForPlan(asked: Record<string, string>) {
  const { duration, every_weeks, ...rule } = RULE
  const query = new URLSearchParams({
    ...rule,
    duration: `${duration}`,
    every_weeks: `${every_weeks}`,
    ...asked,
  })
  for (const [name, value] of [...query]) if (value === '') query.delete(name)
  return meridian.as(owner).get(`/api/calendars/${calendar.id}/series-plan?${query}`)
}

async function plan(asked: Record<string, string>): Promise<{ dates: PlannedDate[] }> {
  const answer = await askForPlan(asked)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function end(id: string, cancel_from: number | null) {
  const answer = await meridian
    .as(owner)
    .post(`/api/calendars/${calendar.id}/series/${id}/end`, { cancel_from })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function getSeries(id: string): Promise<SeriesResponse> {
  return (await meridian.as(owner).get(`/api/calendars/${calendar.id}/series/${id}`)).json()
}

async function extendAt(ms: number): Promise<void> {
  meridian.clock.ms = ms
  await extendStandingSeries({ ...meridian.deps, jobs: meridian.jobs })
}

async function listRows(filter = 'upcoming'): Promise<AppointmentRow[]> {
  const url = (page: number) => `/api/calendars/${calendar.id}/appointments?filter=${filter}&page=${page}`
  const first = (await meridian.as(owner).get(url(1))).json()
  const rows = [...first.appointments]
  for (let page = 2; rows.length < first.total; page++)
    rows.push(...(await meridian.as(owner).get(url(page))).json().appointments)
  return rows
}

async function listProblems(): Promise<PageProblem[]> {
  const { problems } = (await meridian.as(owner).get('/api/page-problems')).json()
  return problems.filter(({ calendar_id }: PageProblem) => calendar_id === calendar.id)
}

async function closeDay(date: string): Promise<void> {
  await meridian.database.db
    .insertInto('special_days')
    .values({ calendar_id: calendar.id, id: randomUUID(), first_date: date, last_date: date, note: null })
    .execute()
}

async function addStanding({ id }: Calendar): Promise<void> {
  await meridian.database.db
    .insertInto('series')
    .values({
      calendar_id: id,
      id: randomUUID(),
      every_weeks: 1,
      first_date: '2027-01-05',
      local_time: '10:00',
      planned: 26,
      is_standing: true,
      overridden: [],
      created_at: new Date(meridian.clock.ms),
    })
    .execute()
}

async function countRows(table: 'series'): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom(table)
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .execute()
  return rows.length
}

async function countOpen(): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('series')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .where('ended_at', 'is', null)
    .execute()
  return rows.length
}

async function countMails(kind: 'booking_confirmation' | 'cancelled' | 'owner_cancelled'): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('id')
    .where('calendar_id', '=', calendar.id)
    .where('kind', '=', kind)
    .execute()
  return rows.length
}

async function countJobs(name: string): Promise<number> {
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as count from pgboss.job where name = $1 and data ->> 'calendarId' = $2`,
    [name, calendar.id],
  )
  return Number(rows[0]?.count)
}
