import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { listOpenCalendars, type OpenCalendarCandidate, sortByKeepOpenPriority } from './open-calendars.ts'

function make(id: string, over: Partial<OpenCalendarCandidate> = {}): OpenCalendarCandidate {
  return { id, is_paused: false, stays_open: false, upcomingAppointments: 0, createdAtMs: 0, ...over }
}

const open = (calendars: readonly OpenCalendarCandidate[], limit: number | null) => [
  ...listOpenCalendars(calendars, limit),
]

test("the owner's choice stays open, then the calendars with the most future appointments, then the oldest", () => {
  const calendars = [
    make('new', { createdAtMs: 3 }),
    make('old', { createdAtMs: 1 }),
    make('busy', { upcomingAppointments: 40, createdAtMs: 4 }),
    make('chosen', { stays_open: true, createdAtMs: 5 }),
  ]
  expect(sortByKeepOpenPriority(calendars).map(({ id }) => id)).toEqual(['chosen', 'busy', 'old', 'new'])
  expect(open(calendars, 1)).toEqual(['chosen'])
  expect(open(calendars, 3)).toEqual(['chosen', 'busy', 'old'])
  expect(open(calendars, null)).toHaveLength(4)
})

test('open calendars stay open, even if a paused calendar has more appointments by now', () => {
  const calendars = [
    make('open', { upcomingAppointments: 1 }),
    make('paused', { is_paused: true, upcomingAppointments: 9 }),
  ]
  expect(open(calendars, 1)).toEqual(['open'])
  expect(
    open(
      calendars.filter(({ id }) => id === 'paused'),
      1,
    ),
  ).toEqual(['paused'])
})

test('exactly the number of calendars that the plan allows is open, and the decision is idempotent', () => {
  const any = fc.record({
    is_paused: fc.boolean(),
    stays_open: fc.boolean(),
    upcomingAppointments: fc.nat(3),
    createdAtMs: fc.nat(3),
  })
  const anyLimit = fc.option(fc.nat(6), { nil: null })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), anyLimit, (list, limit) => {
      const calendars = list.map((one, i) => make(`${i}`, one))
      const first = listOpenCalendars(calendars, limit)
      expect(first.size).toBe(Math.min(limit ?? calendars.length, calendars.length))
      const settled = calendars.map((one) => ({
        ...one,
        is_paused: !first.has(one.id),
        upcomingAppointments: 0,
      }))
      expect(listOpenCalendars(settled, limit)).toEqual(first)
    }),
  )
})
