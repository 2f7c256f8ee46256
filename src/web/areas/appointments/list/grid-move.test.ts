import { describe, expect, test } from 'vitest'
import { makeAgendaDay } from '#web/testing/make-records.ts'
import { instantAtPosition, positionAfterArrowKey, snapToGrid } from './grid-move.ts'

/** Tuesday opens at 9:15, so its slot grid differs from Monday's. */
const DAYS = [
  makeAgendaDay('2026-11-30', [{ starts_at: '2026-11-30T09:00:00Z', ends_at: '2026-11-30T17:00:00Z' }]),
  makeAgendaDay('2026-12-01', [{ starts_at: '2026-12-01T09:15:00Z', ends_at: '2026-12-01T17:00:00Z' }]),
]
/** The grid shows the hours from 8:00 to 18:00, given in minutes from noon. */
const GRID = { days: DAYS, shown: { from: -240, until: 360 }, slotMinutes: 30 }

describe('the nearest place', () => {
  test.each([
    ['on the grid of its opening', { dayIndex: 0, from: -158 }, { dayIndex: 0, from: -150 }],
    ['on that of another day', { dayIndex: 1, from: -158 }, { dayIndex: 1, from: -165 }],
    ['before the openings, on the grid of noon', { dayIndex: 1, from: -220 }, { dayIndex: 1, from: -210 }],
    ['never above what is shown', { dayIndex: 0, from: -600 }, { dayIndex: 0, from: -240 }],
    ['never so late that its end is not shown', { dayIndex: 0, from: 350 }, { dayIndex: 0, from: 315 }],
    ['never before the first day', { dayIndex: -3, from: 0 }, { dayIndex: 0, from: 0 }],
    ['never after the last day', { dayIndex: 9, from: -15 }, { dayIndex: 1, from: -15 }],
  ])('is %s', (_, from, expected) => {
    expect(snapToGrid(GRID, from, 45)).toEqual(expected)
  })
})

describe('a key', () => {
  const from = { dayIndex: 0, from: 0 }

  test.each([
    ['ArrowUp', { dayIndex: 0, from: -30 }],
    ['ArrowDown', { dayIndex: 0, from: 30 }],
    ['ArrowLeft', { dayIndex: 0, from: 0 }],
    ['ArrowRight', { dayIndex: 1, from: 15 }],
    ['Tab', null],
  ])('%s', (key, expected) => {
    expect(positionAfterArrowKey(GRID, from, { key, lengthMinutes: 45, isRightToLeft: false })).toEqual(
      expected,
    )
  })

  test('leads to the side that it points to where days run from right to left', () => {
    const rtl = { lengthMinutes: 45, isRightToLeft: true }
    expect(positionAfterArrowKey(GRID, from, { key: 'ArrowLeft', ...rtl })?.dayIndex).toBe(1)
    expect(positionAfterArrowKey(GRID, from, { key: 'ArrowRight', ...rtl })?.dayIndex).toBe(0)
  })
})

describe('on a day whose clocks change', () => {
  /** In London, March 28 has 23 hours: 1:00 does not occur. */
  const spring = {
    date: '2027-03-28',
    starts_at: '2027-03-28T00:00:00Z',
    noon_at: '2027-03-28T11:00:00Z',
    ends_at: '2027-03-28T23:00:00Z',
    openings: [{ starts_at: '2027-03-28T00:00:00Z', ends_at: '2027-03-28T03:00:00Z' }],
  }
  /** In London, October 31 has 25 hours: 1:00 occurs twice. */
  const autumn = {
    date: '2027-10-31',
    starts_at: '2027-10-30T23:00:00Z',
    noon_at: '2027-10-31T12:00:00Z',
    ends_at: '2027-11-01T00:00:00Z',
    openings: [{ starts_at: '2027-10-30T23:00:00Z', ends_at: '2027-10-31T03:00:00Z' }],
  }
  const nights = (day: typeof spring) => ({ days: [day], shown: { from: -780, until: 720 }, slotMinutes: 30 })
  const down = { key: 'ArrowDown', lengthMinutes: 30, isRightToLeft: false }

  test('half an hour down from 0:30 is 2:00 in spring', () => {
    const place = positionAfterArrowKey(nights(spring), { dayIndex: 0, from: -630 }, down)
    expect(place).toEqual({ dayIndex: 0, from: -600 })
    expect(instantAtPosition([spring], place ?? { dayIndex: 0, from: 0 })).toBe('2027-03-28T01:00:00.000Z')
  })

  test('each half hour of the hour that occurs twice is a place of its own', () => {
    let place: ReturnType<typeof positionAfterArrowKey> = { dayIndex: 0, from: -720 }
    const starts: string[] = []
    while (place !== null && starts.length < 4) {
      starts.push(instantAtPosition([autumn], place).slice(11, 16))
      place = positionAfterArrowKey(nights(autumn), place, down)
    }
    expect(starts).toEqual(['00:00', '00:30', '01:00', '01:30'])
  })

  test('the day begins and ends where it really does', () => {
    expect(snapToGrid(nights(spring), { dayIndex: 0, from: -780 }, 30).from).toBe(-660)
    expect(snapToGrid(nights(autumn), { dayIndex: 0, from: -780 }, 30).from).toBe(-780)
    expect(snapToGrid(nights(autumn), { dayIndex: 0, from: 720 }, 30).from).toBe(690)
  })
})
