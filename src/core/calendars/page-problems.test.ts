import { describe, expect, test } from 'vitest'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { ALL_DATES } from '#core/slots/booking-window.ts'
import { NO_OWNERS_WORK } from '#core/slots/occupied-time.ts'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'
import { type CheckedPage, findPageProblems } from './page-problems.ts'

const MONDAY = Date.parse('2026-11-30T12:00:00Z')
const HOUR = 3600
const MONDAYS = [{ dayOfWeek: 1, startSeconds: 9 * HOUR, endSeconds: 10 * HOUR }]
const CONSULTATION = {
  id: 'consultation',
  durationMinutes: 30,
  ...NO_OWNERS_WORK,
  lacksProvider: false,
  bookable: ALL_DATES,
  hasOwnWindow: false,
  limits: [],
}
const COUPLE = { ...CONSULTATION, id: 'couple', durationMinutes: 60 }
/** It has room for one consultation, and never for a couple. */
const HALF_AN_HOUR = { limit: { most: 30, unit: 'minutes', period: 'day' }, is_of_type: false } as const
const ONE_A_DAY = { limit: { most: 1, unit: 'appointments', period: 'day' }, is_of_type: true } as const
const ENDED = { from: null, until: '2026-11-29' }
const ALL_DAYS = [{ startMs: MONDAY - DAY_MS, endMs: MONDAY + 30 * DAY_MS }]
const NEXT_WEEK = { firstDay: toDayNumber('2026-12-01'), lastDay: toDayNumber('2026-12-08') }

/** Open on Mondays from 9 to 10, with one type of 30 minutes and no appointments. */
const PAGE: CheckedPage = {
  timeZone: 'Europe/London',
  rules: DEFAULT_SLOT_RULES,
  openings: MONDAYS,
  specialDays: [],
  types: [CONSULTATION],
  busy: [],
  ownBusy: [],
  nowMs: MONDAY,
}

describe('a page has no problem', () => {
  test.each<[string, Partial<CheckedPage>]>([
    ['while a time is free on the seventh day', {}],
    [
      'while any of its types has a free time',
      { types: [CONSULTATION, { ...CONSULTATION, durationMinutes: 60 }] },
    ],
    [
      'while its limits have room for one appointment',
      { types: [{ ...CONSULTATION, limits: [HALF_AN_HOUR, ONE_A_DAY] }] },
    ],
    ['when its customers booked all times', { busy: ALL_DAYS, ownBusy: ALL_DAYS }],
    ['when its owner closed all days', { specialDays: [{ ...NEXT_WEEK, hours: [] }] }],
    [
      'without weekly hours, when a day has hours of its own',
      { openings: [], specialDays: [{ ...NEXT_WEEK, hours: [{ startSeconds: 0, endSeconds: HOUR }] }] },
    ],
    [
      'with a booking window that begins later',
      { types: [{ ...CONSULTATION, bookable: { from: '2027-01-04', until: '2027-01-31' } }] },
    ],
    [
      'on the last day of its booking window, in its own zone',
      {
        openings: [...MONDAYS, { dayOfWeek: 1, startSeconds: 20 * HOUR, endSeconds: 21 * HOUR }],
        types: [{ ...CONSULTATION, bookable: { from: null, until: '2026-11-30' } }],
      },
    ],
    [
      'with a minimum notice of a month, when times are free after it',
      { rules: { ...DEFAULT_SLOT_RULES, noticeMinutes: 30 * 24 * 60 } },
    ],
  ])('%s', (_when, page) => {
    expect(findPageProblems({ ...PAGE, ...page })).toEqual([])
  })
})

describe('a page has the problem', () => {
  test.each<[string, Partial<CheckedPage>, ReturnType<typeof findPageProblems>]>([
    ['that it has no hours', { openings: [] }, [{ kind: 'no_hours', typeId: null }]],
    [
      'that it has no hours, when its only special days are closed',
      { openings: [], specialDays: [{ ...NEXT_WEEK, hours: [] }] },
      [{ kind: 'no_hours', typeId: null }],
    ],
    ['that events elsewhere take all times', { busy: ALL_DAYS }, [{ kind: 'taken_elsewhere', typeId: null }]],
    [
      'that its rules leave no time, when the window ends before the minimum notice',
      {
        rules: { ...DEFAULT_SLOT_RULES, noticeMinutes: 3 * 24 * 60 },
        types: [{ ...CONSULTATION, bookable: { from: null, until: '2026-12-01' } }],
      },
      [{ kind: 'nothing_offered', typeId: null }],
    ],
    [
      'that its booking window has ended',
      { types: [{ ...CONSULTATION, bookable: ENDED }] },
      [{ kind: 'window_ended', typeId: null }],
    ],
    [
      'that the booking window of a type has ended',
      {
        types: [CONSULTATION, { ...CONSULTATION, id: 'course', bookable: ENDED, hasOwnWindow: true }],
      },
      [{ kind: 'type_window_ended', typeId: 'course' }],
    ],
    [
      'that its booking window has ended, though a type with its own can be booked',
      {
        types: [
          { ...CONSULTATION, hasOwnWindow: true },
          { ...CONSULTATION, id: 'visit', bookable: ENDED },
        ],
      },
      [{ kind: 'window_ended', typeId: null }],
    ],
    [
      'that no opening is long enough for a type',
      { types: [CONSULTATION, { ...CONSULTATION, id: 'couple', durationMinutes: 90 }] },
      [{ kind: 'type_never_fits', typeId: 'couple' }],
    ],
    [
      'that the own hours of a type never meet those of the calendar',
      {
        types: [
          CONSULTATION,
          {
            ...CONSULTATION,
            id: 'late',
            typeOpenings: [{ dayOfWeek: 1, startSeconds: 10 * HOUR, endSeconds: 12 * HOUR }],
          },
        ],
      },
      [{ kind: 'type_hours_never_meet', typeId: 'late' }],
    ],
    [
      'that a type is longer than the longest appointment, even if all other times are taken',
      {
        types: [CONSULTATION, { ...CONSULTATION, id: 'couple', durationMinutes: 60 }],
        rules: { ...DEFAULT_SLOT_RULES, maxDurationMinutes: 30 },
        busy: ALL_DAYS,
      },
      [
        { kind: 'taken_elsewhere', typeId: null },
        { kind: 'type_never_fits', typeId: 'couple' },
      ],
    ],
    [
      'that a limit of the calendar has no room for a type',
      {
        types: [
          { ...CONSULTATION, limits: [HALF_AN_HOUR] },
          { ...COUPLE, limits: [HALF_AN_HOUR] },
        ],
      },
      [{ kind: 'type_exceeds_limit', typeId: 'couple' }],
    ],
    [
      'that a limit of the calendar has no room for any appointment',
      { types: [{ ...COUPLE, id: null, limits: [HALF_AN_HOUR] }] },
      [{ kind: 'limit_too_small', typeId: null }],
    ],
    [
      'that a limit of a type has no room for it',
      { types: [CONSULTATION, { ...COUPLE, limits: [{ ...HALF_AN_HOUR, is_of_type: true }] }] },
      [{ kind: 'type_limit_too_small', typeId: 'couple' }],
    ],
    [
      'that customers cannot pay for a type',
      { types: [{ ...CONSULTATION, lacksProvider: true }] },
      [{ kind: 'no_payment_account', typeId: 'consultation' }],
    ],
  ])('%s', (_which, page, problems) => {
    expect(findPageProblems({ ...PAGE, ...page })).toEqual(problems)
  })
})
