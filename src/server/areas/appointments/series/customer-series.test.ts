import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import type { CancelDatesBody, CustomerAppointment } from '#contract/appointments/customer-page.ts'
import type { PublicSeriesPlan } from '#contract/appointments/series.ts'
import type { Policy } from '#core/appointments/policy.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeBookingBody } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'

const budgets =
  'bookings_email=10,bookings_client_calendar=30,series_plans_client=5,open_holds_client=3,open_holds_email=3'
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${budgets}` } })

const TUESDAYS_AT_10 = '2027-01-05T10:00:00Z'

let typeId: string
/** Each test uses other addresses, because uses of budgets are counted over all calendars. */
let people = 0
let email: string
beforeEach(async () => {
  people += 1
  email = `grace-${people}@example.com`
  typeId = await addAppointmentType(meridian, calendar.id, {
    series_rule: JSON.stringify({ every_weeks: [1, 2], most_dates: 12 }),
  })
})

describe('the plan of a customer', () => {
  test('says only which dates are free, and lists near times for the others', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-12T10:00:00Z', minutes: 30 })
    await closeDay('2027-01-19')
    const { dates } = await plan({ count: 4 })
    expect(dates.map(({ starts_at, is_free }) => [starts_at, is_free])).toEqual([
      ['2027-01-05T10:00:00.000Z', true],
      ['2027-01-12T10:00:00.000Z', false],
      ['2027-01-19T10:00:00.000Z', false],
      ['2027-01-26T10:00:00.000Z', true],
    ])
    expect(dates.map(({ near_times }) => near_times.length)).toEqual([0, 3, 3, 0])
    expect(Object.keys(dates[1] ?? {}).sort()).toEqual(['is_free', 'near_times', 'starts_at'])
  })

  test('offers each near time in the public list of times, too', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: '2027-01-12T10:00:00Z', minutes: 30 })
    const { dates } = await plan({ count: 2 })
    const listed = await listTimes('2027-01-12')
    for (const near of dates[1]?.near_times ?? []) expect(listed).toContain(near)
    expect(listed).not.toContain(dates[1]?.starts_at)
  })

  test('keeps the time of day when the clocks change', async () => {
    const { dates } = await plan({ starts_at: '2027-03-23T10:00:00Z', count: 2 })
    expect(dates.map(({ starts_at }) => starts_at)).toEqual([
      '2027-03-23T10:00:00.000Z',
      '2027-03-30T09:00:00.000Z',
    ])
  })

  test('of a paused calendar has no free date', async () => {
    await owner.patch(`/api/calendars/${calendar.id}`, { takes_bookings: false })
    const { dates } = await plan({ count: 2 })
    expect(dates).toEqual(dates.map(({ starts_at }) => ({ starts_at, is_free: false, near_times: [] })))
  })

  test('of 12 dates takes as many statements as one of two', async () => {
    const statements = recordStatements()
    await plan({ count: 2 })
    const few = (await statements.during(() => plan({ count: 2 }))).length
    expect((await statements.during(() => plan({ count: 12 }))).length).toBe(few)
    statements.stop()
  })

  test('is made five times for a client, and then refused without being computed', async () => {
    for (let i = 0; i < 5; i++) await plan({ count: 2 })
    const statements = recordStatements()
    const refused = await statements.during(async () => {
      expectRefusal(await askForPlan({ count: 2 }), 'request.too_many')
    })
    statements.stop()
    expect(refused.join()).not.toContain('appointments')
  })

  test.each([
    ['an interval that the type does not offer', { every_weeks: 4, count: 2 }, 'series.not_offered'],
    ['more dates than the type offers', { count: 13 }, 'series.not_offered'],
    ['one date', { count: 1 }, 'series.count_invalid'],
    ['a start in the past', { starts_at: '2026-12-01T10:00:00Z', count: 2 }, 'booking.slot_unavailable'],
    ['a start in ten years', { starts_at: '2037-01-05T10:00:00Z', count: 2 }, 'booking.slot_unavailable'],
    ['no start', { starts_at: 'soon', count: 2 }, 'booking.time_required'],
    ['another type', { appointment_type_id: randomUUID(), count: 2 }, 'booking.type_unknown'],
  ] as const)('refuses %s', async (_case, asked, code) => {
    expectRefusal(await askForPlan(asked), code)
  })
})

describe('a series by a customer', () => {
  test('makes an ordinary appointment of each date, and each side gets one email that names all', async () => {
    const booked = await bookSeries([2, 3])
    expect(booked.further_dates.map(({ starts_at }) => starts_at)).toEqual([dateOf(2), dateOf(3)])
    const rows = await listRows()
    expect(rows.map(({ status, booked_by, series_number }) => [status, booked_by, series_number])).toEqual([
      ['confirmed', 'customer', 1],
      ['confirmed', 'customer', 2],
      ['confirmed', 'customer', 3],
    ])
    expect(new Set(rows.map(({ booking_reference }) => booking_reference)).size).toBe(3)
    for (const to of [email, owner.email]) {
      const mail = await meridian.waitForMail(
        (sent) => sent.to.address === to && sent.text.includes(booked.booking_reference),
      )
      for (const date of ['January 5', 'January 12', 'January 19']) expect(mail.text).toContain(date)
      expect(String(mail.attachments?.[0]?.content).match(/BEGIN:VEVENT/g)).toHaveLength(3)
    }
    expect(await countMessages()).toEqual({ booking_confirmation: 1, owner_booking_notice: 1 })
  })

  test('leaves dates out, and takes an offered time near a date', async () => {
    const booked = await bookSeries([{ number: 3, starts_at: '2027-01-20T14:00:00Z' }])
    expect(booked.further_dates).toMatchObject([{ starts_at: '2027-01-20T14:00:00.000Z' }])
  })

  test('books nothing when a date in the middle is taken, and names that date without the reason', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: dateOf(3), minutes: 30 })
    const answer = await postSeries([2, 3, 4])
    expectRefusal(answer, 'series.dates_unavailable')
    expect(answer.json().errors).toEqual([{ path: 'series.dates.3', message: 'This time isn’t free.' }])
    expect(await listRows()).toEqual([])
    expect(await countMessages()).toEqual({})
    const refusals = await owner.get(`/api/calendars/${calendar.id}/refusals`)
    expect(refusals.json().refusals).toMatchObject([{ starts_at: dateOf(3), reasons: ['busy'] }])
  })

  test('over a day off is refused there', async () => {
    await closeDay('2027-01-12')
    expectRefusal(await postSeries([2, 3]), 'series.dates_unavailable')
    expect((await postSeries([3])).statusCode).toBe(201)
  })

  test('counts its own dates towards a limit', async () => {
    await meridian.database.db
      .insertInto('booking_limits')
      .values({ calendar_id: calendar.id, id: randomUUID(), period: 'month', unit: 'appointments', most: 2 })
      .execute()
    const { dates } = await plan({ count: 5 })
    expect(dates.map(({ is_free }) => is_free)).toEqual([true, true, false, false, true])
    const answer = await postSeries([2, 3])
    expect(answer.json().errors).toMatchObject([{ path: 'series.dates.3' }])
    expect((await postSeries([2, 5])).statusCode).toBe(201)
  })

  test('is refused beyond the booking window', async () => {
    await meridian.database.db
      .updateTable('calendars')
      .set({ booking_window: { kind: 'days', days: 10 } })
      .where('id', '=', calendar.id)
      .execute()
    const answer = await postSeries([2, 3])
    expect(answer.json().errors).toMatchObject([{ path: 'series.dates.3' }])
  })

  test('with one key books once, and refuses the key for other dates', async () => {
    const key = randomUUID()
    const [first, again] = [await postSeries([2, 3], {}, key), await postSeries([2, 3], {}, key)]
    expect(first.statusCode, first.body).toBe(201)
    expect(again.json()).toEqual(first.json())
    expect(await listRows()).toHaveLength(3)
    expectRefusal(await postSeries([2], {}, key), 'request.key_reused')
  })

  test('copies the answers to each date', async () => {
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
    await owner.put(`/api/calendars/${calendar.id}/questions`, { questions: [question] })
    expectRefusal(await postSeries([2]), 'answer.refused')
    await bookSeries([2], { answers: [{ question_id: question.id, value: ['Sleep'] }] })
    for (const { id } of await listRows()) {
      const answers = await owner.get(`/api/calendars/${calendar.id}/appointments/${id}/answers`)
      expect(answers.json().answers).toMatchObject([{ value: ['Sleep'] }])
    }
  })

  test('counts as many bookings as it has dates; the first one that uses a budget up is still booked', async () => {
    await bookSeries([2, 3, 4, 5, 6])
    await bookSeries([2, 3, 4, 5, 6, 7], { starts_at: '2027-01-05T11:00:00Z' }, 60)
    expectRefusal(await postOne('2027-01-05T12:00:00Z'), 'booking.too_many_for_email')
  })

  test('that is refused does not count', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: dateOf(3), minutes: 30 })
    for (let i = 0; i < 3; i++) expectRefusal(await postSeries([2, 3, 4, 5, 6]), 'series.dates_unavailable')
    expect((await postSeries([2, 4])).statusCode).toBe(201)
  })

  test.each([
    [
      'a date far from those of the rule',
      [{ number: 2, starts_at: '2027-01-08T10:00:00Z' }],
      'series.dates_unavailable',
    ],
    [
      'a number beyond the most dates',
      [{ number: 13, starts_at: '2027-03-30T09:00:00Z' }],
      'series.not_offered',
    ],
    [
      'dates out of order',
      [
        { number: 3, starts_at: dateOf(3) },
        { number: 2, starts_at: dateOf(2) },
      ],
      'request.invalid',
    ],
    [
      'a date twice',
      [
        { number: 2, starts_at: dateOf(2) },
        { number: 2, starts_at: dateOf(2) },
      ],
      'request.invalid',
    ],
    ['no further date', [], 'series.count_invalid'],
  ] as const)('refuses %s', async (_case, dates, code) => {
    expectRefusal(await post({ series: { every_weeks: 1, dates } }), code)
    expect(await listRows()).toEqual([])
  })

  test('is refused for a type without series, and for one that must be paid at booking', async () => {
    await setType({ series_rule: null })
    expectRefusal(await postSeries([2]), 'series.not_offered')
    await setType({
      series_rule: JSON.stringify({ every_weeks: [1], most_dates: 4 }),
      price_cents: 4_000,
      payment_required: true,
    })
    expectRefusal(await postSeries([2]), 'series.not_offered')
    await setType({ payment_required: false })
    expect((await postSeries([2])).json()).toMatchObject({ payment_status: 'pending' })
  })
})

describe('where customers confirm their email address', () => {
  beforeEach(async () => {
    await owner.patch(`/api/calendars/${calendar.id}`, { email_confirmation_required: true })
  })

  test('all dates are held until the code is typed, which books all of them', async () => {
    const held = await bookSeries([2, 3, 4, 5, 6, 7, 8])
    expect((await listRows()).map(({ status }) => status)).toEqual(Array(8).fill('pending_payment'))
    const mail = await meridian.waitForMail(({ to }) => to.address === email)
    for (const date of ['January 12', 'January 19']) expect(mail.text).toContain(date)
    expect(await countMessages()).toEqual({ email_code: 1 })

    const code = mail.subject.slice(0, 6)
    const confirmed = await meridian.post(`/api/public/appointments/${held.id}/email-confirmation`, { code })
    expect(confirmed.json()).toMatchObject({ status: 'confirmed', further_dates: held.further_dates })
    expect((await listRows()).map(({ status }) => status)).toEqual(Array(8).fill('confirmed'))
    expect(await countMessages()).toEqual({ email_code: 1, booking_confirmation: 1, owner_booking_notice: 1 })
  })

  test('a ninth date is refused with the reason, and the page is told of 8', async () => {
    expectRefusal(await postSeries([2, 3, 4, 5, 6, 7, 8, 9]), 'series.too_many_held')
    expect(await listRows()).toEqual([])
    const types = await meridian.get(`/api/public/calendars/${calendar.slug}/appointment-types`)
    expect(types.json().appointment_types).toMatchObject([{ series: { every_weeks: [1, 2], most_dates: 8 } }])
  })

  test('a customer who goes back to the form gives all dates back', async () => {
    const { id } = await bookSeries([2, 3])
    const released = await meridian.request({
      method: 'DELETE',
      url: `/api/public/appointments/${id}`,
    })
    expect(released.statusCode, released.body).toBe(204)
    expect(await listTimes('2027-01-12')).toContain(dateOf(2))
    expect((await postSeries([2, 3])).statusCode).toBe(201)
  })

  test('a second series of the same person replaces the first', async () => {
    await bookSeries([2, 3])
    const later = await bookSeries([2, 3], { starts_at: '2027-01-05T12:00:00Z' }, 120)
    expect(later.status).toBe('pending_payment')
    expect(await listTimes('2027-01-12')).toContain(dateOf(2))
  })

  test('the code is too late when the time of a date was released', async () => {
    const { id } = await bookSeries([2, 3])
    const mail = await meridian.waitForMail(({ to }) => to.address === email)
    await meridian.database.db
      .updateTable('appointments')
      .set({ released_at: new Date(meridian.clock.ms) })
      .where('calendar_id', '=', calendar.id)
      .where('series_number', '=', 3)
      .execute()
    const code = mail.subject.slice(0, 6)
    const answer = await meridian.post(`/api/public/appointments/${id}/email-confirmation`, { code })
    expectRefusal(answer, 'confirmation.too_late')
  })
})

describe('moving a date of a series', () => {
  test('follows the policy of that date, and leaves the others where they are', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const booked = await bookSeries([2, 3, 4])
    const [second, third, fourth] = booked.further_dates
    await setPolicy(4, { moving: { kind: 'never' } })
    expect((await moveBy(third, 60)).statusCode).toBe(200)
    expect(await listStarts()).toEqual([dateOf(1), dateOf(2), dateOf(3, 60), dateOf(4)])
    expectRefusal(await moveBy(fourth, 60), 'appointment.move_not_allowed')

    // The second date is less than a day ahead now, and the third is more than a week ahead.
    meridian.clock.ms = Date.parse(dateOf(2)) - 23 * HOUR_MS
    expectRefusal(await moveBy(second, 60), 'appointment.move_too_late')
    expect((await moveBy(third, 120, 60)).statusCode).toBe(200)
    expect(await listStarts()).toEqual([dateOf(1), dateOf(2), dateOf(3, 120), dateOf(4)])
  })

  /** The customer moves a date that now begins `from` minutes later than at first. */
  function moveBy(date: { id: string; starts_at: string } | undefined, minutes: number, from = 0) {
    const later = (by: number) => new Date(Date.parse(date?.starts_at ?? '') + by * 60_000).toISOString()
    return meridian.post(`/api/public/manage/${manageTokenOf(meridian, date?.id ?? '')}/move`, {
      starts_at: later(minutes),
      expected_starts_at: later(from),
    })
  }

  async function listStarts(): Promise<string[]> {
    return (await listRows()).map(({ starts_at }) => starts_at.toISOString())
  }
})

describe('cancelling a date with all following ones', () => {
  test('follows the policy of each date; each side gets one email about what happened', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { manage_token: token } = await bookSeries([2, 3, 4, 5])
    await setPolicy(3, { cancelling: { kind: 'by_request' } })
    await setPolicy(4, { cancelling: { kind: 'alone', hours: 8_760, after: 'never' } })
    const before = await look(token)
    expect(before.following.map(({ number, way }) => [number, way])).toEqual([
      [1, 'alone'],
      [2, 'alone'],
      [3, 'by_request'],
      [4, 'none'],
      [5, 'alone'],
    ])
    const body = toCancellation(before)
    const after = await cancel(token, body)
    expect(after.statusCode, after.body).toBe(200)
    const states = ['cancelled', 'cancelled', 'pending_cancellation', 'confirmed', 'cancelled']
    expect((await listRows()).map(({ status }) => status)).toEqual(states)
    expect(after.json()).toMatchObject({
      standing: 'cancelled',
      following: [
        { number: 3, standing: 'pending_cancellation' },
        { number: 4, standing: 'upcoming', way: 'none' },
      ],
    })
    expect((await cancel(token, body)).statusCode).toBe(200)
    expect(await countMessages()).toMatchObject({
      cancelled: 1,
      owner_cancelled: 1,
      owner_cancellation_request: 1,
    })
    const mail = await meridian.waitForMail(
      ({ to, subject }) => to.address === email && subject.startsWith('Appointments cancelled'),
    )
    expect(mail.text).toContain('You cancelled 3 appointments')
  })

  test('refunds each paid date by its own policy', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    await setType({ price_cents: 4_000 })
    const { id, further_dates, manage_token: token } = await bookSeries([2, 3])
    for (const paid of [id, further_dates[0]?.id ?? ''])
      await sendAppointmentAction({ meridian, owner, calendar }, paid, { action: 'mark_paid' })
    const view = await look(token)
    expect(view.following.map(({ refund }) => refund?.amount ?? null)).toEqual([20, 40, null])
    expect((await cancel(token, toCancellation(view))).statusCode).toBe(200)
    expect((await listRows()).map(({ refund_due_cents }) => refund_due_cents)).toEqual([2_000, 4_000, null])
  })

  test('is refused as a whole when the terms of one date differ from those that the customer saw', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { manage_token: token } = await bookSeries([2, 3])
    const body = toCancellation(await look(token))
    await setPolicy(3, { cancelling: { kind: 'by_request' } })
    expectRefusal(await cancel(token, body), 'cancellation.terms_changed')
    expect((await listRows()).map(({ status }) => status)).toEqual(Array(3).fill('confirmed'))
  })

  test('reaches no earlier date, and no appointment outside a series', async () => {
    const { manage_token: token, further_dates } = await bookSeries([2, 3])
    const second = manageTokenOf(meridian, further_dates[0]?.id ?? '')
    expect((await look(second)).following.map(({ number }) => number)).toEqual([2, 3])
    expectRefusal(await cancel(second, toCancellation(await look(token))), 'appointment.changed_meanwhile')
    const single = (await postOne('2027-01-06T10:00:00Z')).json()
    expect((await look(single.manage_token)).following).toEqual([])
    expectRefusal(
      await cancel(single.manage_token, toCancellation(await look(token))),
      'cancellation.not_possible',
    )
  })

  test('ends a standing appointment when its last date is cancelled, and not before', async () => {
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const { manage_token: token } = await bookSeries([2, 3])
    const series = meridian.database.db.selectFrom('series').select('ended_at')
    const isOpen = async () =>
      (await series.where('calendar_id', '=', calendar.id).executeTakeFirstOrThrow()).ended_at === null
    const { dates } = toCancellation(await look(token))
    await cancel(token, { dates: dates.slice(0, 2) })
    expect(await isOpen()).toBe(true)
    await cancel(token, { dates })
    expect(await isOpen()).toBe(false)
  })

  test('the file of a date has that date alone, or all dates that are booked', async () => {
    const { manage_token: token } = await bookSeries([2, 3])
    const file = await meridian.get(`/api/public/manage/${token}/appointment.ics?of=series`)
    expect(file.body.match(/BEGIN:VEVENT/g)).toHaveLength(3)
    expect(file.body).toContain('METHOD:PUBLISH')
    const one = await meridian.get(`/api/public/manage/${token}/appointment.ics`)
    expect(one.body.match(/BEGIN:VEVENT/g)).toHaveLength(1)
  })
})

test('a type with seats offers no series', async () => {
  const path = `/api/calendars/${calendar.id}/appointment-types`
  const rule = { every_weeks: [2, 1], most_dates: 6 }
  const refused = await owner.post(path, { name: 'Yoga', seats: 8, series_rule: rule })
  expectRefusal(refused, 'request.invalid')
  expect(refused.json().errors).toMatchObject([{ path: 'series_rule' }])
  const made = await owner.post(path, { name: 'Lesson', series_rule: rule })
  expect(made.json()).toMatchObject({ series_rule: { every_weeks: [1, 2], most_dates: 6 } })
  const changed = await owner.patch(`${path}/${made.json().id}`, { seats: 8 })
  expectRefusal(changed, 'request.invalid')
})

/** The start of a date in the series on Tuesdays, in London before the clocks change. */
function dateOf(number: number, minutesLater = 0): string {
  const ms = Date.parse(TUESDAYS_AT_10) + (number - 1) * 7 * 86_400_000 + minutesLater * 60_000
  return new Date(ms).toISOString()
}

type Further = number | { readonly number: number; readonly starts_at: string }

function postSeries(
  further: readonly Further[],
  body: Record<string, unknown> = {},
  key: string = randomUUID(),
  minutesLater = 0,
) {
  const dates = further.map((date) =>
    typeof date === 'number' ? { number: date, starts_at: dateOf(date, minutesLater) } : date,
  )
  return post({ series: { every_weeks: 1, dates }, ...body }, key)
}

async function bookSeries(
  further: readonly Further[],
  body: Record<string, unknown> = {},
  minutesLater = 0,
): Promise<CreateBookingResponse> {
  const answer = await postSeries(further, body, randomUUID(), minutesLater)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

function postOne(starts_at: string) {
  return post({ starts_at })
}

function post(body: Record<string, unknown>, key: string = randomUUID()) {
  return meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${calendar.slug}/appointments`,
    remoteAddress: `203.0.113.${people}`,
    headers: { 'idempotency-key': key },
    payload: makeBookingBody({
      appointment_type_id: typeId,
      starts_at: TUESDAYS_AT_10,
      customer: { name: 'Grace Hopper', email },
      ...body,
    }),
  })
}

function askForPlan(asked: Record<string, string | number>) {
  const query = new URLSearchParams({
    appointment_type_id: typeId,
    starts_at: TUESDAYS_AT_10,
    every_weeks: '1',
    ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, `${value}`])),
  })
  return meridian.request({
    method: 'GET',
    url: `/api/public/calendars/${calendar.slug}/series-plan?${query}`,
    remoteAddress: `203.0.113.${people}`,
  })
}

async function plan(asked: Record<string, string | number>): Promise<PublicSeriesPlan> {
  const answer = await askForPlan(asked)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function listTimes(date: string): Promise<string[]> {
  const query = `date=${date}&appointment_type_id=${typeId}`
  const answer = await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)
  return answer
    .json<{ slots: { starts_at: string }[] }>()
    .slots.map(({ starts_at }) => new Date(starts_at).toISOString())
}

function listRows() {
  return meridian.database.db
    .selectFrom('appointments')
    .select([
      'id',
      'starts_at',
      'status',
      'booked_by',
      'series_number',
      'booking_reference',
      'refund_due_cents',
    ])
    .where('calendar_id', '=', calendar.id)
    .where('released_at', 'is', null)
    .where('series_id', 'is not', null)
    .orderBy('series_number')
    .execute()
}

async function countMessages(): Promise<Record<string, number>> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('kind')
    .where('calendar_id', '=', calendar.id)
    .execute()
  const groups = Map.groupBy(rows, ({ kind }) => kind)
  return Object.fromEntries([...groups].map(([kind, of]) => [kind, of.length]))
}

async function setType(values: Record<string, unknown>): Promise<void> {
  await meridian.database.db
    .updateTable('appointment_types')
    .set(values)
    .where('calendar_id', '=', calendar.id)
    .execute()
}

async function closeDay(date: string): Promise<void> {
  await meridian.database.db
    .insertInto('special_days')
    .values({ calendar_id: calendar.id, id: randomUUID(), first_date: date, last_date: date, note: null })
    .execute()
}

async function look(token: string | null): Promise<CustomerAppointment> {
  return (await meridian.get(`/api/public/manage/${token}`)).json()
}

function cancel(token: string | null, body: CancelDatesBody) {
  return meridian.post(`/api/public/manage/${token}/cancel-dates`, body)
}

/** Cancels everything that a page offers to cancel. */
function toCancellation({ following }: CustomerAppointment): CancelDatesBody {
  return {
    dates: following.flatMap(({ number, starts_at, way, refund }) =>
      way === 'none'
        ? []
        : [{ number, way, refund_amount: refund?.amount ?? null, expected_starts_at: starts_at }],
    ),
  }
}

async function setPolicy(number: number, rules: Partial<Policy>): Promise<void> {
  await meridian.database.db
    .updateTable('appointments')
    .set({ policy: JSON.stringify({ ...HALF_REFUND_POLICY, ...rules }) })
    .where('calendar_id', '=', calendar.id)
    .where('series_number', '=', number)
    .execute()
}
