import { expect, test } from 'vitest'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import { NO_LIMITS } from './booking-limits.ts'
import { ALL_DATES } from './booking-window.ts'
import { NO_OWNERS_WORK } from './occupied-time.ts'
import { listOpenSlots, type OpenSlotsQuery } from './open-slots.ts'
import { DEFAULT_SLOT_RULES } from './slot-rules.ts'

/** A Monday on which the calendar is open from 9:00 to 12:00. */
const MONDAY: OpenSlotsQuery = {
  firstDate: '2027-01-04',
  dayCount: 1,
  timeZone: 'Europe/London',
  durationMinutes: 50,
  ...NO_OWNERS_WORK,
  ...NO_LIMITS,
  bookable: ALL_DATES,
  rules: DEFAULT_SLOT_RULES,
  openings: [{ dayOfWeek: 1, startSeconds: 9 * 3_600, endSeconds: 12 * 3_600 }],
  specialDays: [],
  busy: [],
  locationBusy: [],
  nowMs: null,
}
/** From 10:03 to 10:30. */
const BUSY = [{ startMs: at('10:03'), endMs: at('10:30') }]

test.each<[string, Partial<OpenSlotsQuery>, string[]]>([
  ['starts by the slot length', {}, ['09:00', '09:30', '10:00', '10:30', '11:00']],
  ['starts by its own step (rule T63)', { stepMinutes: 60 }, ['09:00', '10:00', '11:00']],
  ['starts one after the other (rule T63)', { stepMinutes: 0 }, ['09:00', '09:50', '10:40']],
  [
    'starts every five minutes',
    { stepMinutes: 5, durationMinutes: 165 },
    ['09:00', '09:05', '09:10', '09:15'],
  ],
  ['starts once, when its step is longer than the opening', { stepMinutes: 240 }, ['09:00']],
  ['has gaps around busy times', { stepMinutes: 60, busy: BUSY }, ['09:00', '11:00']],
  [
    'starts right after a busy time and ends right before it (rule T64)',
    { stepMinutes: 60, busy: BUSY, isPacked: true },
    ['09:00', '09:10', '10:30', '11:00'],
  ],
  [
    'keeps buffer, preparation and wrap-up free when packed',
    {
      stepMinutes: 60,
      busy: BUSY,
      isPacked: true,
      durationMinutes: 30,
      prepareMinutes: 10,
      wrapUpMinutes: 5,
      rules: { ...DEFAULT_SLOT_RULES, bufferMinutes: 10 },
    },
    ['09:00', '09:15', '10:50', '11:00'],
  ],
  [
    'keeps no buffer around another calendar at its location when packed',
    {
      stepMinutes: 60,
      locationBusy: BUSY,
      isPacked: true,
      rules: { ...DEFAULT_SLOT_RULES, bufferMinutes: 10 },
    },
    ['09:00', '09:10', '10:30', '11:00'],
  ],
  [
    'starts only between busy times with enough time between them',
    {
      stepMinutes: 240,
      isPacked: true,
      busy: [
        { startMs: at('09:10'), endMs: at('10:10') },
        { startMs: at('10:55'), endMs: at('11:10') },
      ],
    },
    ['11:10'],
  ],
  [
    'starts no packed time outside the openings',
    { stepMinutes: 240, isPacked: true, busy: [{ startMs: at('09:20'), endMs: at('11:15') }] },
    [],
  ],
  [
    'starts no packed time before the minimum notice',
    {
      stepMinutes: 240,
      isPacked: true,
      busy: BUSY,
      nowMs: at('08:00'),
      rules: { ...DEFAULT_SLOT_RULES, noticeMinutes: 75 },
    },
    ['10:30'],
  ],
])('a type %s', (_which, query, starts) => {
  const [day] = listOpenSlots({
    ...MONDAY,
    ...query,
    rules: query.rules ?? { ...MONDAY.rules, maxDurationMinutes: 240 },
  })
  expect(day?.startsMs.map((startMs) => localTimeOf(startMs, 'Europe/London').slice(0, 5))).toEqual(starts)
})

function at(clock: string): number {
  return Date.parse(`2027-01-04T${clock}:00Z`)
}
