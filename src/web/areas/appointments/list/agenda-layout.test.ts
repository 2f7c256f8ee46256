import { describe, expect, test } from 'vitest'
import type { AgendaDay } from '#contract/appointments/appointments.ts'
import { makeAgendaDay, makeAppointment } from '#web/testing/make-records.ts'
import {
  chooseShownHours,
  hourHeightPx,
  hourOfDay,
  layOutBlocks,
  limitLanes,
  listAllDayEvents,
  listFullHours,
  listTimedEntries,
} from './agenda-layout.ts'

const DAY = makeAgendaDay('2026-12-01')

function at(starts_at: string, ends_at: string) {
  return makeAppointment({ id: starts_at, starts_at, ends_at })
}

describe('an appointment in the grid', () => {
  test('lies as far from noon as it is in time', () => {
    const [block] = layOutBlocks(DAY, [at('2026-12-01T09:30:00Z', '2026-12-01T10:15:00Z')])
    expect(block).toMatchObject({ from: -150, until: -105, lane: 0, lanes: 1, isContinued: false })
  })

  test('over midnight is on both days, each with its part', () => {
    const night = at('2026-11-30T23:00:00Z', '2026-12-01T01:00:00Z')
    expect(layOutBlocks(makeAgendaDay('2026-11-30'), [night])).toMatchObject([
      { from: 660, until: 720, isContinued: true },
    ])
    expect(layOutBlocks(DAY, [night])).toMatchObject([{ from: -720, until: -660, isContinued: true }])
  })

  test('of another day is not there, nor one that only touches midnight', () => {
    expect(layOutBlocks(DAY, [at('2026-11-30T23:00:00Z', '2026-12-01T00:00:00Z')])).toEqual([])
    expect(layOutBlocks(DAY, [at('2026-12-02T00:00:00Z', '2026-12-02T01:00:00Z')])).toEqual([])
  })

  test('beside others at the same time shares the width with them', () => {
    const blocks = layOutBlocks(DAY, [
      at('2026-12-01T09:00:00Z', '2026-12-01T10:00:00Z'),
      at('2026-12-01T09:30:00Z', '2026-12-01T10:30:00Z'),
      at('2026-12-01T10:00:00Z', '2026-12-01T10:15:00Z'),
      at('2026-12-01T11:00:00Z', '2026-12-01T12:00:00Z'),
    ])
    expect(blocks.map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 2],
      [1, 2],
      [0, 2],
      [0, 1],
    ])
  })
})

test('blocks beyond the lanes are counted for each stretch in which they overlap', () => {
  const hours = (from: string, until: string) => at(`2026-12-01T${from}:00Z`, `2026-12-01T${until}:00Z`)
  const blocks = layOutBlocks(DAY, [
    hours('09:00', '11:00'),
    hours('09:00', '10:00'),
    hours('09:30', '10:30'),
    hours('10:15', '10:45'),
    hours('10:20', '11:30'),
    hours('14:00', '15:00'),
  ])
  const { shown, crowded } = limitLanes(blocks, 3)
  expect(shown.map(({ lane }) => lane)).toEqual([0, 1, 1, 0])
  expect(crowded).toEqual([{ from: -150, until: -30, count: 2 }])
  expect(limitLanes(blocks, Number.POSITIVE_INFINITY)).toEqual({ shown: blocks, crowded: [] })
})

describe('an event of another calendar', () => {
  test('has a place among the hours, unless it takes the whole day', () => {
    const short = makeEvent('2026-12-01T09:00:00Z', '2026-12-01T10:00:00Z')
    const long = makeEvent('2026-11-30T18:00:00Z', '2026-12-02T08:00:00Z')
    expect(listTimedEntries(DAY, [], [short, long])).toEqual([short])
    expect(listAllDayEvents(DAY, [short, long])).toEqual([long])
    expect(listAllDayEvents(makeAgendaDay('2026-12-02'), [long])).toEqual([])
  })

  test('of a whole day elsewhere is where it is here', () => {
    const inTokyo = { ...makeEvent('2026-11-30T15:00:00Z', '2026-12-01T15:00:00Z'), is_all_day: true }
    expect(listTimedEntries(DAY, [], [inTokyo])).toEqual([inTokyo])
  })

  test('of a whole day takes a day of 23 hours, too', () => {
    const day = {
      ...makeAgendaDay('2026-03-29'),
      starts_at: '2026-03-29T00:00:00Z',
      ends_at: '2026-03-29T23:00:00Z',
    }
    const event = makeEvent('2026-03-29T00:00:00Z', '2026-03-29T23:00:00Z')
    expect(listAllDayEvents(day, [event])).toEqual([event])
  })
})

function makeEvent(starts_at: string, ends_at: string) {
  return {
    external_calendar_id: 'a',
    calendar_name: 'Work',
    title: null,
    color: null,
    starts_at,
    ends_at,
    is_all_day: false,
  }
}

describe('a day on which the clocks change', () => {
  const spring: AgendaDay = {
    date: '2026-03-29',
    starts_at: '2026-03-29T00:00:00Z',
    noon_at: '2026-03-29T11:00:00Z',
    ends_at: '2026-03-29T23:00:00Z',
    openings: [],
  }

  test('has the same place for the same clock after the change, and begins an hour later', () => {
    const [early, late] = layOutBlocks(spring, [
      at('2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'),
      at('2026-03-29T08:00:00Z', '2026-03-29T09:00:00Z'),
    ])
    expect(early).toMatchObject({ from: -660, until: -600 })
    expect(late).toMatchObject({ from: -180, until: -120 })
  })
})

describe('the hours shown', () => {
  test('are 9 to 17 when there is nothing to go by', () => {
    expect(chooseShownHours([makeAgendaDay('2026-12-01')], [])).toEqual({ from: -180, until: 300 })
  })

  test('reach over everything open and everything placed, in whole hours', () => {
    const open = { starts_at: '2026-12-01T08:30:00Z', ends_at: '2026-12-01T17:15:00Z' }
    const day = { ...DAY, openings: [open] }
    const blocks = layOutBlocks(day, [at('2026-12-01T20:00:00Z', '2026-12-01T20:10:00Z')])
    expect(chooseShownHours([day], blocks)).toEqual({ from: -240, until: 540 })
    expect(listFullHours({ from: -60, until: 60 })).toEqual([-60, 0, 60])
  })

  test.each([
    ['in the morning', '09:15', '10:00', { from: -180, until: 300 }],
    ['late', '19:00', '20:00', { from: 240, until: 720 }],
  ] as const)('are at least eight, also around one appointment %s', (_when, from, until, shown) => {
    const blocks = layOutBlocks(DAY, [at(`2026-12-01T${from}:00Z`, `2026-12-01T${until}:00Z`)])
    expect(chooseShownHours([{ ...DAY, openings: [] }], blocks)).toEqual(shown)
  })

  test('are not much higher because of a short event of another calendar', () => {
    const event = makeEvent('2026-12-01T09:00:00Z', '2026-12-01T09:05:00Z')
    expect(hourHeightPx(layOutBlocks(DAY, [event]))).toBe(104)
  })

  test('are higher the shorter the shortest appointment is, within bounds', () => {
    const heightOf = (minutes: number) =>
      hourHeightPx([
        { from: 0, until: minutes, lane: 0, lanes: 1, isContinued: false, of: makeAppointment() },
      ])
    expect([60, 30, 15, 5, 1].map(heightOf)).toEqual([72, 72, 104, 312, 312])
    expect(hourHeightPx([])).toBe(72)
  })

  test.each([
    [-720, 0],
    [-180, 9],
    [0, 12],
    [300, 17],
    [-780, 23],
  ])('%d minutes from noon is hour %d', (minutes, hour) => {
    expect(hourOfDay(minutes)).toBe(hour)
  })
})
