import { beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, type TestMeridian } from '#tests/support/meridian.ts'
import { manageTokenOf, savePolicy } from '#tests/support/policies.ts'

/**
 * These tests move appointments into and out of the nights in which London's clocks change, on a calendar that is open
 * from 22:00 to 4:00.
 */

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  await savePolicy(meridian, owner, calendar, {
    moving: { kind: 'until', hours: 0, times: null },
    cancelling: { kind: 'by_request' },
    refunds: [],
  })
  const { db } = meridian.database
  await db.deleteFrom('availability').where('calendar_id', '=', calendar.id).execute()
  for (const day_of_week of [0, 1, 2, 3, 4, 5, 6]) {
    for (const [start_time, end_time] of [
      ['22:00', '24:00'],
      ['00:00', '04:00'],
    ]) {
      const opened = await own('POST', '/availability', { day_of_week, start_time, end_time })
      expect(opened.statusCode, opened.body).toBe(201)
    }
  }
})

/** A Tuesday without a clock change. */
const EVENING = '2027-01-05T22:00:00.000Z'

describe.each([
  {
    night: 'in spring, when 1:00 to 2:00 does not occur',
    sunday: '2027-03-28',
    // The opening lasts six hours on the clock, but only five hours of elapsed time.
    instants: ['00:00 GMT', '00:30 GMT', '02:00 BST', '02:30 BST', '03:00 BST', '03:30 BST'],
    lastEnd: '2027-03-28T03:00:00.000Z',
  },
  {
    night: 'in autumn, when 1:00 to 2:00 occurs twice',
    sunday: '2027-10-31',
    instants: [
      '00:00 BST',
      '00:30 BST',
      '01:00 BST',
      '01:30 BST',
      '01:00 GMT',
      '01:30 GMT',
      '02:00 GMT',
      '02:30 GMT',
      '03:00 GMT',
      '03:30 GMT',
    ],
    lastEnd: '2027-10-31T04:00:00.000Z',
  },
])('$night', ({ sunday, instants, lastEnd }) => {
  test('every time of the night is offered once, and an appointment moves through all of them and out again', async () => {
    const id = await bookAt(EVENING)
    const offered = await listOffered(id, sunday)
    const ofNight = offered.filter((startsAt) => toClock(startsAt) < '22')
    expect(ofNight.map(toClock)).toEqual(instants)
    let from = EVENING
    for (const to of ofNight) {
      const moved = await moveByCustomer(id, { from, to })
      expect(moved.statusCode, moved.body).toBe(200)
      // The appointment takes half an hour of elapsed time, whatever the clock shows at its end.
      expect(Date.parse(moved.json().ends_at) - Date.parse(to)).toBe(1_800_000)
      // The appointment makes only its own time unavailable.
      expect(await listFree(sunday)).not.toContain(to)
      from = to
    }
    const { ends_at } = await read(id)
    expect(new Date(ends_at).toISOString()).toBe(lastEnd)
    expect((await moveByCustomer(id, { from, to: EVENING })).statusCode).toBe(200)
    expect(await listFree(sunday)).toEqual(offered)
  })

  test('the owner moves there and back as well, and a taken time is refused at its own instant only', async () => {
    const id = await bookAt(EVENING)
    const others = await listOffered(id, sunday)
    const taken = others[3] ?? ''
    await bookAt(taken)
    expectRefusal(await moveByOwner(id, { from: EVENING, to: taken }), 'appointment.move_conflict')
    let from = EVENING
    for (const to of others.filter((startsAt) => startsAt !== taken)) {
      const moved = await moveByOwner(id, { from, to })
      expect(moved.statusCode, `${to} ${moved.body}`).toBe(200)
      from = to
    }
    expect((await moveByOwner(id, { from, to: EVENING })).statusCode).toBe(200)
  })
})

test('a time that the owner types is read by the clock, and the answer says how', async () => {
  const id = await bookAt(EVENING)
  const judged = await own('GET', `/appointments/${id}/move-time?date=2027-03-28&time=01:30`)
  // A clock time in the gap is interpreted with the offset before it (rule T2), so the clock then shows 2:30.
  expect(judged.json()).toMatchObject({ starts_at: '2027-03-28T01:30:00.000Z', reading: 'skipped' })
  const twice = await own('GET', `/appointments/${id}/move-time?date=2027-10-31&time=01:30`)
  // This is the first of the two occurrences of that clock time.
  expect(twice.json()).toMatchObject({ starts_at: '2027-10-31T00:30:00.000Z', reading: 'repeated' })
})

type Move = { readonly from: string; readonly to: string }

function moveByCustomer(id: string, { from, to }: Move) {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
    starts_at: to,
    expected_starts_at: from,
  })
}

function moveByOwner(id: string, { from, to }: Move) {
  return own('POST', `/appointments/${id}/move`, { starts_at: to, expected_starts_at: from })
}

function own(method: 'GET' | 'POST', path: string, payload?: Record<string, unknown>) {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

async function bookAt(startsAt: string): Promise<string> {
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at: startsAt })
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().id
}

async function listOffered(id: string, date: string): Promise<string[]> {
  return toStarts(await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}/slots?date=${date}`))
}

async function listFree(date: string): Promise<string[]> {
  return toStarts(await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=${date}`))
}

function toStarts(answered: Awaited<ReturnType<TestMeridian['request']>>): string[] {
  const { slots } = answered.json<{ slots: { starts_at: string }[] }>()
  return slots.map(({ starts_at }) => new Date(starts_at).toISOString())
}

async function read(id: string): Promise<{ ends_at: string }> {
  return (await meridian.get(`/api/public/appointments/${id}`)).json()
}

/** Returns the time on London's clocks, such as `01:30 BST`. */
function toClock(startsAt: string): string {
  return new Date(startsAt).toLocaleTimeString('en-GB', {
    timeZone: 'Europe/London',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}
