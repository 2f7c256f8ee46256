import { describe, expect, test } from 'vitest'
import type { AppointmentType, PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import type { BookingWindow } from '#core/slots/booking-window.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'

/** The tests begin on Monday, 4 January 2027. The calendar is in London, open Monday to Friday from 9:00 to 17:00. */
setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const CALENDAR_ZONE = 'Europe/London'

describe('a calendar offers and books only the days of its window', () => {
  test.each<[BookingWindow, string, string, string]>([
    [
      { kind: 'days', days: 2 },
      '2027-01-06',
      '2027-01-07',
      'You can book this day from Tuesday, January 5, 2027.',
    ],
    // Friday, and over the weekend Monday.
    [
      { kind: 'open_days', days: 5 },
      '2027-01-11',
      '2027-01-12',
      'You can book until Monday, January 11, 2027.',
    ],
    [
      { kind: 'until', until: '2027-03-29' },
      '2027-03-29',
      '2027-03-30',
      'You can book until Monday, March 29, 2027.',
    ],
    [
      { kind: 'between', from: '2027-02-01', until: '2027-02-05' },
      '2027-02-05',
      '2027-01-29',
      'You can book from Monday, February 1, 2027.',
    ],
  ])('%j: on %s, but not on %s. Source: rules T67 and T68', async (window, inside, outside, note) => {
    await setWindow(window)
    const open = await slotsOn(inside)
    expect([open.slots.length, open.note]).toEqual([16, undefined])
    expect(await slotsOn(outside)).toMatchObject({ slots: [], note })
    expectRefusal(await book(at(outside, '09:00')), 'booking.slot_unavailable')
    expect((await book(at(inside, '16:30'))).statusCode).toBe(201)
    expect(await judge(at(outside, '09:00'))).toMatchObject({
      reasons: ['window'],
      bookable_dates: { is_of_type: false },
    })
  })

  test('to the last instant of the last day, on which the clocks change, wherever the visitor is', async () => {
    await owner.post(`/api/calendars/${calendar.id}/availability`, {
      day_of_week: 0,
      start_time: '23:00:00',
      end_time: '24:00:00',
    })
    await setWindow({ kind: 'until', until: '2027-03-28' })
    // 23:30 in London, which is 22:30 UTC since that night.
    const last = '2027-03-28T22:30:00Z'
    expect((await slotsOn('2027-03-28')).slots.at(-1)?.starts_at).toBe(last)
    const onLine = await slotsOn('2027-03-29', 'Pacific/Kiritimati')
    expect([onLine.slots.at(-1)?.starts_at, onLine.note]).toEqual([last, undefined])
    expect((await slotsOn('2027-03-30', 'Pacific/Kiritimati')).note).toBe(
      'You can book until Sunday, March 28, 2027.',
    )
    expect((await book(last)).statusCode).toBe(201)
    await setWindow({ kind: 'until', until: '2027-03-27' })
    expect((await slotsOn('2027-03-28')).slots).toEqual([])
  })

  test('special days close some of the next open days, also long after the asked day', async () => {
    await owner.post(`/api/calendars/${calendar.id}/special-days`, {
      first_date: '2027-01-05',
      last_date: '2027-01-15',
      note: 'Away',
      hours: [],
    })
    await setWindow({ kind: 'open_days', days: 1 })
    expect((await slotsOn('2027-01-04')).slots).not.toEqual([])
    expect((await slotsOn('2027-01-18')).slots).not.toEqual([])
    expect((await slotsOn('2027-01-19')).slots).toEqual([])
    expect((await publicCalendar()).bookable_until).toBe('2027-01-18')
  })

  test('a window of open days on a calendar without hours offers nothing, and fails nowhere', async () => {
    const { availability } = (await owner.get(`/api/calendars/${calendar.id}/availability`)).json()
    for (const { id } of availability) await owner.delete(`/api/calendars/${calendar.id}/availability/${id}`)
    await setWindow({ kind: 'open_days', days: 3 })
    expect(await slotsOn('2027-01-05')).toEqual({ date: '2027-01-05', time_zone: CALENDAR_ZONE, slots: [] })
    expectRefusal(await book(at('2027-01-05', '09:00')), 'booking.slot_unavailable')
    expect((await meridian.get(`/api/public/calendars/${calendar.slug}`)).statusCode).toBe(200)
  })

  test('a window that has ended says so', async () => {
    await setWindow({ kind: 'between', from: '2026-12-01', until: '2027-01-03' })
    expect((await slotsOn('2027-01-05')).note).toBe('Bookings ended on January 3, 2027.')
    expect(await publicCalendar()).toMatchObject({
      bookable_from: '2026-12-01',
      bookable_until: '2027-01-03',
      bookable_text: 'Bookings ended on January 3, 2027.',
    })
  })

  test.each([
    { kind: 'between', from: '2027-02-05', until: '2027-02-04' },
    { kind: 'until', until: '2027-02-30' },
    { kind: 'until' },
    { kind: 'days', days: 731 },
    { kind: 'open_days', days: -1 },
    { kind: 'days', days: 1.5 },
    { kind: 'sometimes' },
    null,
  ])('%j is refused', async (booking_window) => {
    expectRefusal(await change({ booking_window }), 'request.invalid')
    if (booking_window === null) return
    expectRefusal(await owner.post(typesPath(), { name: 'Odd', booking_window }), 'request.invalid')
  })
})

test('the window of a type replaces that of its calendar, wider or narrower, in all ways to book', async () => {
  await setWindow({ kind: 'days', days: 2 })
  const wide = await addType({ name: 'Course', booking_window: { kind: 'none' } })
  const narrow = await addType({ name: 'Visit', booking_window: { kind: 'days', days: 0 } })
  const plain = await addType({ name: 'Plain' })
  const far = at('2027-06-01', '09:00')
  expect((await slotsOn('2027-06-01', CALENDAR_ZONE, wide.id)).slots).not.toEqual([])
  expect((await slotsOn('2027-01-05', CALENDAR_ZONE, narrow.id)).slots).toEqual([])
  expect((await slotsOn('2027-01-06', CALENDAR_ZONE, plain.id)).slots).not.toEqual([])
  expectRefusal(await book(at('2027-01-05', '09:00'), narrow.id), 'booking.slot_unavailable')
  const booked = await book(far, wide.id)
  expect(booked.statusCode, booked.body).toBe(201)
  const move = (starts_at: string) =>
    meridian.post(`/api/public/manage/${booked.json().manage_token}/move`, {
      starts_at,
      expected_starts_at: far,
    })
  expect((await move(at('2027-07-01', '09:00'))).statusCode).toBe(200)
  expect(await judge(at('2027-01-05', '09:00'), narrow.id)).toMatchObject({
    reasons: ['window'],
    bookable_dates: { from: null, until: '2027-01-04', is_of_type: true },
  })
  const types: PublicAppointmentType[] = (
    await meridian.get(`/api/public/calendars/${calendar.slug}/appointment-types`)
  ).json().appointment_types
  expect(types.map(({ bookable_until }) => bookable_until)).toEqual([null, '2027-01-04', '2027-01-06'])
  const changed = await owner.patch(`${typesPath()}/${narrow.id}`, {
    booking_window: null,
    was: { booking_window: { kind: 'days', days: 0 } },
  })
  expect(changed.json().booking_window).toBeNull()
})

function at(date: string, clock: string): string {
  // London is an hour ahead of UTC in summer.
  const hour = Number(clock.slice(0, 2)) - (date >= '2027-03-28' ? 1 : 0)
  return `${date}T${String(hour).padStart(2, '0')}${clock.slice(2)}:00Z`
}

function typesPath(): string {
  return `/api/calendars/${calendar.id}/appointment-types`
}

async function addType(fields: object): Promise<AppointmentType> {
  const added = await owner.post(typesPath(), fields)
  expect(added.statusCode, added.body).toBe(201)
  return added.json()
}

function change(settings: object) {
  return owner.patch(`/api/calendars/${calendar.id}/slot-settings`, settings)
}

async function setWindow(booking_window: BookingWindow): Promise<void> {
  const changed = await change({ booking_window })
  expect(changed.json()).toMatchObject({ booking_window })
}

async function slotsOn(date: string, time_zone = CALENDAR_ZONE, typeId?: string): Promise<SlotsResponse> {
  const type = typeId === undefined ? {} : { appointment_type_id: typeId }
  const query = new URLSearchParams({ date, time_zone, ...type })
  return (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?${query}`)).json()
}

function book(starts_at: string, typeId?: string) {
  return bookAppointment(meridian, calendar.slug, { starts_at, appointment_type_id: typeId ?? null })
}

async function judge(starts_at: string, typeId?: string) {
  const type = typeId === undefined ? {} : { appointment_type_id: typeId }
  const query = new URLSearchParams({ starts_at, ...type })
  return (await owner.get(`/api/calendars/${calendar.id}/appointment-time?${query}`)).json()
}

async function publicCalendar() {
  return (await meridian.get(`/api/public/calendars/${calendar.slug}`)).json()
}
