import { expect, test } from 'vitest'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import { NO_LIMITS } from '#core/slots/booking-limits.ts'
import { ALL_DATES } from '#core/slots/booking-window.ts'
import { NO_OWNERS_WORK } from '#core/slots/occupied-time.ts'
import { listOpenSlots, type OpenSlotsQuery } from '#core/slots/open-slots.ts'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'

/** A Monday on which the calendar is open from 9:00 to 12:00 and from 13:00 to 15:00. */
const MONDAY = '2027-01-04'
const DAY = 20_822
const PRACTICE: OpenSlotsQuery = {
  firstDate: MONDAY,
  dayCount: 1,
  timeZone: 'Europe/London',
  durationMinutes: 30,
  ...NO_OWNERS_WORK,
  ...NO_LIMITS,
  bookable: ALL_DATES,
  rules: DEFAULT_SLOT_RULES,
  openings: [hours('09:00', '12:00'), hours('13:00', '15:00')],
  specialDays: [],
  busy: [],
  locationBusy: [],
  nowMs: null,
}

test.each<[string, Partial<OpenSlotsQuery>, string[]]>([
  [
    'without hours of its own starts whenever the calendar is open',
    { typeOpenings: [] },
    ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '13:00', '13:30', '14:00', '14:30'],
  ],
  [
    'starts on the grid of its own opening (rule T61)',
    { typeOpenings: [hours('09:20', '10:30')] },
    ['09:20', '09:50'],
  ],
  [
    'keeps its grid where it opens before the calendar',
    { typeOpenings: [hours('08:10', '10:00')] },
    ['09:10'],
  ],
  ['ends when the calendar closes', { typeOpenings: [hours('11:00', '13:15')] }, ['11:00', '11:30']],
  ['leaves out the break of the calendar', { typeOpenings: [hours('11:15', '14:00')] }, ['11:15', '13:15']],
  [
    'may last from one opening of its own into the next',
    { durationMinutes: 90, typeOpenings: [hours('09:00', '10:00'), hours('10:00', '11:00')] },
    ['09:00', '09:30'],
  ],
  [
    'has no times where its hours never meet those of the calendar',
    { typeOpenings: [hours('15:00', '18:00')] },
    [],
  ],
  ['has no times on a weekday without hours', { typeOpenings: [hours('09:00', '12:00', 2)] }, []],
  [
    'starts inside both its hours and those of a special day (rule T60)',
    {
      specialDays: [{ firstDay: DAY, lastDay: DAY, hours: [hours('10:00', '11:00')] }],
      typeOpenings: [hours('09:15', '10:45')],
    },
    ['10:15'],
  ],
])('a type %s', (_which, query, starts) => {
  const [day] = listOpenSlots({ ...PRACTICE, ...query })
  expect(day?.startsMs.map((startMs) => localTimeOf(startMs, 'Europe/London').slice(0, 5))).toEqual(starts)
})

function hours(start: string, end: string, dayOfWeek = 1) {
  return { dayOfWeek, startSeconds: secondsOf(start), endSeconds: secondsOf(end) }
}

function secondsOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 3_600 + Number(clock.slice(3)) * 60
}
