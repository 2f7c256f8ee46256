import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import {
  joinFullyBookedCalendar,
  listWaitingListEntries,
  waitForOffer,
  waitUntilScansFinish,
} from '#tests/support/waiting.ts'
import { runManyChange } from './jobs.ts'

/** These tests change whole days and also close the days. Source: rules A21, A23 and A24. */

let owner: TestOwner
let calendar: Calendar

setUpMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  meridian.mails.length = 0
  // Use a new owner for each test, because an owner may make only 20 such changes a day.
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
})

const TUESDAY = '2027-01-05'
const WEDNESDAY = '2027-01-06'
const THURSDAY = '2027-01-07'
const CLOSED = { close_days: true }

describe('a change that closes its days', () => {
  test('leaves no time on them to anybody, and takes none of the other days', async () => {
    await bookAt(TUESDAY)
    expectDone(await change({ ...CLOSED, to: WEDNESDAY }))
    expect(await countTimes(TUESDAY)).toBe(0)
    expect(await countTimes(WEDNESDAY)).toBe(0)
    expect(await countTimes(THURSDAY)).toBeGreaterThan(0)
    const stranger = await bookAppointment(meridian, calendar.slug, { starts_at: `${WEDNESDAY}T09:00:00Z` })
    expectRefusal(stranger, 'booking.slot_unavailable')
    expect(await listEntries()).toEqual([[TUESDAY, WEDNESDAY, '', null]])
  })

  test.each([{}, { close_days: false }])('is made only when its owner says so: %j', async (choice) => {
    await bookAt(TUESDAY)
    expectDone(await change(choice))
    expect(await countTimes(TUESDAY)).toBeGreaterThan(0)
    expect(await listEntries()).toEqual([])
  })

  test('closes them on each of its calendars, also on one without appointments there', async () => {
    const [second, untouched] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    await bookAt(TUESDAY)
    expectDone(await change({ ...CLOSED, others: [await seenOn(second)] }))
    for (const { slug } of [calendar, second]) expect(await countTimes(TUESDAY, slug)).toBe(0)
    expect(await countTimes(TUESDAY, untouched.slug)).toBeGreaterThan(0)
  })

  test('twice with one request is one change, also where the days were opened again in between', async () => {
    await bookAt(TUESDAY)
    const id = randomUUID()
    const answers = await Promise.all([change({ ...CLOSED, id }), change({ ...CLOSED, id })])
    for (const answer of answers) expectDone(answer)
    expect(await listEntries()).toEqual([[TUESDAY, TUESDAY, '', null]])
    await removeEntries()
    expectDone(await change({ ...CLOSED, id }))
    expect(await listEntries()).toEqual([])
    expect(await countTimes(TUESDAY)).toBeGreaterThan(0)
  })

  test('leaves days alone that are closed already, within a holiday too', async () => {
    await addEntry({ first_date: WEDNESDAY, last_date: '2027-01-29', hours: [], note: 'Holiday' })
    await bookAt(TUESDAY)
    await change({ ...CLOSED, kind: 'offer' })
    // The appointment is still active, so the same days can be changed again.
    expectDone(await change(CLOSED))
    expect(await listEntries()).toEqual([
      [TUESDAY, TUESDAY, '', null],
      [WEDNESDAY, '2027-01-29', '', 'Holiday'],
    ])
  })

  test('does not close a day that is over, in the zone of each calendar', async () => {
    // At this time it is already Wednesday in Auckland.
    const far = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
    meridian.clock.ms = Date.parse(`${TUESDAY}T14:00:00Z`)
    await bookAt(WEDNESDAY)
    const days = { from: '2027-01-04', to: WEDNESDAY }
    expectDone(await change({ ...CLOSED, ...days, others: [await seenOn(far, days)] }))
    expect(await listEntries()).toEqual([[TUESDAY, WEDNESDAY, '', null]])
    expect(await listEntries(far)).toEqual([[WEDNESDAY, WEDNESDAY, '', null]])
  })
})

describe('special days that overlap those of the change', () => {
  const HOURS = [
    { start_time: '10:00:00', end_time: '12:00:00' },
    { start_time: '14:00:00', end_time: '20:00:00' },
  ]
  const WRITTEN = '10:00:00-12:00:00 14:00:00-20:00:00'

  test('give way: one inside is removed, and others keep the rest of their dates, hours and note', async () => {
    await addEntry({ first_date: '2027-01-02', last_date: TUESDAY, hours: HOURS, note: 'Fair' })
    await addEntry({ first_date: WEDNESDAY, last_date: WEDNESDAY, hours: HOURS, note: 'Late' })
    await addEntry({ first_date: THURSDAY, last_date: '2027-01-09', hours: [], note: 'Trip' })
    const second = await makeCalendar(meridian, owner)
    await addEntry({ first_date: '2027-01-01', last_date: '2027-01-20', hours: HOURS, note: 'Long' }, second)
    await bookAt(TUESDAY, '14:00')
    const days = { from: TUESDAY, to: THURSDAY }
    expectDone(await change({ ...CLOSED, ...days, others: [await seenOn(second, days)] }))
    expect(await listEntries()).toEqual([
      ['2027-01-02', '2027-01-04', WRITTEN, 'Fair'],
      [TUESDAY, THURSDAY, '', null],
      ['2027-01-08', '2027-01-09', '', 'Trip'],
    ])
    expect(await listEntries(second)).toEqual([
      ['2027-01-01', '2027-01-04', WRITTEN, 'Long'],
      [TUESDAY, THURSDAY, '', null],
      ['2027-01-08', '2027-01-20', WRITTEN, 'Long'],
    ])
    expect(await countTimes(TUESDAY, second.slug)).toBe(0)
    expect(await countTimes('2027-01-08', second.slug)).toBeGreaterThan(0)
  })

  test('become two when the closed days are in the middle, and both keep their hours', async () => {
    await addEntry({ first_date: TUESDAY, last_date: THURSDAY, hours: HOURS, note: 'Fair' })
    await bookAt(WEDNESDAY, '14:00')
    expectDone(await change({ ...CLOSED, from: WEDNESDAY, to: WEDNESDAY }))
    expect(await listEntries()).toEqual([
      [TUESDAY, TUESDAY, WRITTEN, 'Fair'],
      [WEDNESDAY, WEDNESDAY, '', null],
      [THURSDAY, THURSDAY, WRITTEN, 'Fair'],
    ])
    const times = [await countTimes(TUESDAY), await countTimes(WEDNESDAY), await countTimes(THURSDAY)]
    expect(times).toEqual([times[2], 0, times[0]])
    expect(times[0]).toBeGreaterThan(0)
  })
})

describe('a calendar that has as many special days as it can', () => {
  test('refuses the whole change, on all calendars', async () => {
    const full = await makeCalendar(meridian, owner)
    await fillUp(full)
    const appointmentId = await bookAt(TUESDAY)
    const id = randomUUID()
    for (const [first, second] of [
      [calendar, full],
      [full, calendar],
    ] as const) {
      const body = { ...CLOSED, id, others: [await seenOn(second)] }
      expectRefusal(await change(body, first), 'special_days.too_many')
    }
    expect(await listEntries()).toEqual([])
    expect(await listEntries(full)).toHaveLength(LIMITS.specialDays)
    expect(await countTimes(TUESDAY)).toBeGreaterThan(0)
    const { rows } = await meridian.database.execute('select id from many_changes where id = $1', [id])
    expect(rows).toEqual([])
    expect(await readStatus(appointmentId)).toBe('confirmed')
    // Without closing the days, the change succeeds.
    expectDone(await change({ id, others: [await seenOn(full)] }))
  })

  test('can have days closed that take the place of others', async () => {
    await fillUp(calendar, TUESDAY)
    await bookAt(TUESDAY)
    expectDone(await change(CLOSED))
    const entries = await listEntries()
    expect(entries).toHaveLength(LIMITS.specialDays)
    expect(entries[0]).toEqual([TUESDAY, TUESDAY, '', null])
  })
})

describe('other times for the customers of days that are closed (rule A23)', () => {
  test('are chosen among the days after them, and the appointment stands until then', async () => {
    const id = await bookAt(TUESDAY)
    const changeId = randomUUID()
    expectDone(await change({ ...CLOSED, kind: 'offer', id: changeId, to: WEDNESDAY, message: 'I am ill.' }))
    await runManyChange(meridian.deps, { calendarId: calendar.id, changeId })
    expect(await readStatus(id)).toBe('confirmed')
    const [entry] = (await specialDays()).json().special_days
    expect(entry).toMatchObject({ first_date: TUESDAY, last_date: WEDNESDAY, appointments: 1 })

    const page = `/api/public/manage/${manageTokenOf(meridian, id)}`
    const { offer, obstacle } = (await meridian.get(`${page}/move`)).json()
    expect(obstacle).toBeNull()
    expect(offer.message).toBe('I am ill.')
    // One on each of the next open days, in the morning and in the afternoon.
    expect(offer.times).toEqual([
      `${THURSDAY}T09:00:00.000Z`,
      '2027-01-08T12:00:00.000Z',
      '2027-01-11T09:00:00.000Z',
    ])
    expect(offer.opens_at).toBe(offer.times[0])
    const shown = await meridian.get(`${page}/days?from=${TUESDAY}&to=${THURSDAY}`)
    expect(shown.json().days.map((day: { open_slots: number }) => day.open_slots > 0)).toEqual([
      false,
      false,
      true,
    ])
    expect((await move(page, `${TUESDAY}T11:00:00Z`)).json()).toMatchObject({
      code: 'appointment.move_absent',
    })
    const moved = await move(page, offer.times[1])
    expect(moved.json(), moved.body).toMatchObject({ starts_at: offer.times[1] })
    expect((await specialDays()).json().special_days).toMatchObject([{ appointments: 0 }])
    // The day is closed, so the old time of the appointment cannot be booked.
    expect(await countTimes(TUESDAY)).toBe(0)
  })
})

describe('the waiting list (rule A24)', () => {
  test.each([false, true])(
    'is offered nothing on days that are closed, whatever is asked for it: %s',
    async (for_waiting_list) => {
      const ada = 'ada@example.com'
      await bookAt(TUESDAY)
      await joinFullyBookedCalendar(meridian, calendar.slug, {
        email: ada,
        from_date: TUESDAY,
        to_date: TUESDAY,
      })
      await waitForOffer(meridian, ada)
      expectDone(await change({ ...CLOSED, for_waiting_list }))
      await waitUntilScansFinish(meridian)
      const { entries } = await listWaitingListEntries(meridian, owner, calendar)
      expect(entries).toMatchObject([
        { customer_email: ada, state: 'waiting', offers: [{ state: 'withdrawn' }] },
      ])
    },
  )
})

async function bookAt(date: string, time = '09:00'): Promise<string> {
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at: `${date}T${time}:00Z` })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

/** Requests a change with the current digest; cancels Tuesday unless `body` says otherwise. */
async function change(body: object, on: Calendar = calendar): Promise<LightMyRequestResponse> {
  const given = { from: TUESDAY, to: TUESDAY, id: randomUUID(), kind: 'cancel', message: '', ...body }
  const days = { from: given.from, to: given.to < given.from ? given.from : given.to }
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId: on.id })
  return owner.post(`/api/calendars/${on.id}/many-changes`, { ...given, ...days, digest })
}

async function seenOn({ id: calendar_id }: Calendar, days = { from: TUESDAY, to: TUESDAY }) {
  return {
    calendar_id,
    digest: await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId: calendar_id }),
  }
}

function expectDone(answer: LightMyRequestResponse): void {
  expect(answer.statusCode, answer.body).toBe(202)
}

/** Counts the times that customers can book on a date. */
async function countTimes(date: string, slug = calendar.slug): Promise<number> {
  const answer = await meridian.get(`/api/public/calendars/${slug}/slots?date=${date}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().slots.length
}

function specialDays({ id }: Calendar = calendar) {
  return owner.get(`/api/calendars/${id}/special-days`)
}

type Entry = {
  id: string
  first_date: string
  last_date: string
  hours: { start_time: string; end_time: string }[]
  note: string | null
}

/** Lists the special days, each with its dates, hours and note, as the owner sees them. */
async function listEntries(of: Calendar = calendar) {
  const { special_days } = (await specialDays(of)).json<{ special_days: Entry[] }>()
  return special_days.map(({ first_date, last_date, hours, note }) => [
    first_date,
    last_date,
    hours.map(({ start_time, end_time }) => `${start_time}-${end_time}`).join(' '),
    note,
  ])
}

async function addEntry(payload: Omit<Entry, 'id'>, { id }: Calendar = calendar): Promise<void> {
  const answer = await owner.post(`/api/calendars/${id}/special-days`, payload)
  expect(answer.statusCode, answer.body).toBe(201)
}

async function removeEntries(): Promise<void> {
  const { special_days } = (await specialDays()).json<{ special_days: Entry[] }>()
  for (const { id } of special_days) {
    const url = `/api/calendars/${calendar.id}/special-days/${id}`
    expect((await owner.delete(url)).statusCode).toBe(204)
  }
}

/** Inserts the maximum number of special days, on consecutive dates, each open all day. */
async function fillUp({ id }: Calendar, from = '2027-02-01'): Promise<void> {
  const dates = Array.from({ length: LIMITS.specialDays }, (_, i) => addDays(from, i))
  await meridian.database.execute(
    `with entries as (
       insert into special_days (calendar_id, id, first_date, last_date)
       select $1, gen_random_uuid(), day::date, day::date from unnest($2::text[]) as day
       returning calendar_id, id
     )
     insert into special_hours (calendar_id, id, special_days_id, start_time, end_time)
     select calendar_id, gen_random_uuid(), id, '00:00', '24:00' from entries`,
    [id, dates],
  )
}

async function readStatus(id: string): Promise<unknown> {
  const { rows } = await meridian.database.execute('select status from appointments where id = $1', [id])
  return rows[0]?.status
}

function move(page: string, starts_at: string): Promise<LightMyRequestResponse> {
  const payload = { starts_at, expected_starts_at: `${TUESDAY}T09:00:00Z` }
  return meridian.post(`${page}/move`, payload)
}
