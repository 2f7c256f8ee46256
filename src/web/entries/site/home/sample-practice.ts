import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { Slot } from '#contract/slots/slots.ts'
import { addDays, dayOfWeek, listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import type { DayAvailability } from '#web/areas/appointments/bookings/times-queries.ts'

/** The practice on the sample card. It is not in the database. */
export const SAMPLE_PRACTICE = {
  name: 'Nora Lindqvist',
  initials: 'NL',
  category: 'Physiotherapist',
  color: '#0f766e',
  place: { id: 'sample-place', name: 'Harbour Street', address: null, type: 'physical' },
} as const

export const SAMPLE_APPOINTMENT_TYPES = [
  sampleType('Treatment', { duration: 30, price: 45, color: '#0f766e' }),
  sampleType('First visit', { duration: 60, price: 75, color: '#b45309' }),
  sampleType('Video call', { duration: 30, price: null, color: '#1d4ed8' }),
] as const

function sampleType(
  name: string,
  looks: Pick<PublicAppointmentType, 'duration' | 'price' | 'color'>,
): PublicAppointmentType {
  const isOnline = looks.price === null
  return {
    id: name,
    name,
    ...looks,
    fee_note: null,
    description: null,
    is_online: isOnline,
    payment_required: false,
    is_listed: true,
    bookable_from: null,
    bookable_until: null,
    bookable_text: null,
    policy_text: '',
    series: null,
    location: isOnline ? null : SAMPLE_PRACTICE.place,
  }
}

/** Returns the opening hours in minutes after midnight: weekdays from 9 to 12 and from 1 to 5, on Wednesdays until 7. */
function openMinutes(date: string): readonly (readonly [from: number, to: number])[] {
  const weekday = dayOfWeek(date)
  if (weekday === 0 || weekday === 6) return []
  return [
    [9 * 60, 12 * 60],
    [13 * 60, (weekday === 3 ? 19 : 17) * 60],
  ]
}

/**
 * Lists the free times of a day in the browser's time zone. Some times are taken, always the same ones for a given date. Every
 * third day of the month is busier than the others.
 */
export function listSampleSlots(date: string, durationMinutes: number, nowMs: number): Slot[] {
  const starts = openMinutes(date).flatMap(([from, to]) =>
    Array.from(
      { length: Math.floor((to - from) / durationMinutes) },
      (_, step) => from + step * durationMinutes,
    ),
  )
  const day = Number(date.slice(8))
  return starts
    .filter((_, index) => (index + day) % 3 !== 0 && (day % 3 !== 0 || (index + day) % 2 === 0))
    .map((minutes) => slotAt(date, minutes, durationMinutes))
    .filter(({ starts_at }) => Date.parse(starts_at) > nowMs)
}

function slotAt(date: string, minutes: number, durationMinutes: number): Slot {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number)
  const startsAt = new Date(year, month - 1, day, 0, minutes)
  const endsAt = new Date(year, month - 1, day, 0, minutes + durationMinutes)
  return {
    slot_start: clockOf(startsAt),
    slot_end: clockOf(endsAt),
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
  }
}

function clockOf(moment: Date): string {
  return [moment.getHours(), moment.getMinutes(), 0].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * Returns the first day after `today` with a free time. Three days are enough, because a weekend is the longest stretch without
 * free times.
 */
export function firstSampleFreeDate(today: string, durationMinutes: number): string {
  const ahead = [1, 2, 3].map((days) => addDays(today, days))
  return ahead.find((date) => listSampleSlots(date, durationMinutes, 0).length > 0) ?? addDays(today, 1)
}

/** Marks each day from `from` to `to` as free or full. */
export function listSampleDayMarks(
  from: string,
  to: string,
  durationMinutes: number,
  nowMs: number,
): DayAvailability {
  const dates = listDates(from, toDayNumber(to) - toDayNumber(from) + 1)
  return Object.fromEntries(
    dates.map((date) => [date, listSampleSlots(date, durationMinutes, nowMs).length > 0 ? 'free' : 'full']),
  )
}
