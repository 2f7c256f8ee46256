import { expect, test } from 'vitest'
import type { SlotIntervalMinutes } from '#core/slots/slot-rules.ts'
import { countFreeMinutesAfter, listIncompatibleTypes } from './incompatible-types.ts'

test.each([
  [30, 120, 30, null],
  [30, 120, 120, null],
  [30, 120, 121, 'too_long'],
  [30, 120, 150, 'too_long'],
  [30, 120, 45, 'off_grid'],
  [30, 120, 5, 'off_grid'],
  [15, 120, 45, null],
  [60, 480, 480, null],
  [60, 480, 90, 'off_grid'],
] as const)(
  'with slots of %d and at most %d minutes, a type of %d minutes is %s',
  (slot, max, length, reason) => {
    expect(reasonFor(slot, max, length)).toBe(reason)
  },
)

test('a type that is too long and off the grid is reported as too long', () => {
  expect(reasonFor(60, 120, 135)).toBe('too_long')
})

test.each([
  ['a step that fits', { stepMinutes: 25 }, null],
  ['a step that does not fit', { stepMinutes: 40 }, 'off_grid'],
  ['its own length as step', { stepMinutes: 0 }, null],
  ['packed starts', { isPacked: true }, null],
])('a type of 50 minutes with %s', (_which, pattern, reason) => {
  const types = [{ durationMinutes: 50, ...pattern }]
  const found = listIncompatibleTypes(types, { slotMinutes: 30, maxDurationMinutes: 120 })
  expect(found[0]?.reason ?? null).toBe(reason)
})

test('types are listed in the given order, without compatible types', () => {
  const types = [
    { name: 'Long', durationMinutes: 180 },
    { name: 'Right', durationMinutes: 60 },
    { name: 'Odd', durationMinutes: 50 },
  ]
  const found = listIncompatibleTypes(types, { slotMinutes: 30, maxDurationMinutes: 120 })
  expect(found.map(({ type, reason }) => [type.name, reason])).toEqual([
    ['Long', 'too_long'],
    ['Odd', 'off_grid'],
  ])
})

function reasonFor(slotMinutes: SlotIntervalMinutes, maxDurationMinutes: number, durationMinutes: number) {
  return listIncompatibleTypes([{ durationMinutes }], { slotMinutes, maxDurationMinutes })[0]?.reason ?? null
}

test.each([
  [50, 30, 0, 10],
  [50, 30, 10, 10],
  [50, 30, 15, 40],
  [45, 15, 0, 0],
  [45, 60, 5, 15],
  [60, 30, 5, 30],
] as const)(
  '%d minutes on a grid of %d with a buffer of %d leave %d free',
  (duration, slot, buffer, free) => {
    const rules = { slotMinutes: slot, bufferMinutes: buffer }
    expect(countFreeMinutesAfter(duration, rules)).toBe(free)
  },
)
