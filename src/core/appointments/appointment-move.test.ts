import { describe, expect, test } from 'vitest'
import type { StartReason } from '#core/slots/explain-start.ts'
import { decideMove, type RequestedMove } from './appointment-move.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2027-01-04T08:00:00Z')
const present = { startMs: NOW + 2 * HOUR_MS, endMs: NOW + 3 * HOUR_MS }
const later = { startMs: NOW + 5 * HOUR_MS, endMs: NOW + 6 * HOUR_MS }

function decide(
  wanted: Partial<RequestedMove> = {},
  { status = 'confirmed', reasons = [], nowMs = NOW }: Partial<Around> = {},
) {
  const move = { time: later, expectedStartMs: present.startMs, causedBy: 'owner', anyway: false } as const
  return decideMove({ status, time: present }, { ...move, ...wanted }, { reasons, nowMs })
}
type Around = {
  readonly status: Parameters<typeof decideMove>[0]['status']
  readonly reasons: readonly StartReason[]
  readonly nowMs: number
}

describe('a move (rule A16)', () => {
  test.each([
    ['confirmed', { kind: 'move' }],
    ['pending_cancellation', { kind: 'move' }],
    ['cancelled', { kind: 'refused', reason: 'state' }],
    ['pending_payment', { kind: 'refused', reason: 'state' }],
  ] as const)('of an appointment that is %s: %o', (status, decision) => {
    expect(decide({}, { status })).toEqual(decision)
  })

  test('is refused once the appointment has begun', () => {
    expect(decide({}, { nowMs: present.startMs })).toEqual({ kind: 'refused', reason: 'state' })
  })

  test('to its current time is already done, whatever start was expected', () => {
    expect(decide({ time: present, expectedStartMs: 1 })).toEqual({ kind: 'done' })
  })

  test('is refused when the appointment was moved meanwhile', () => {
    expect(decide({ expectedStartMs: present.startMs + 1 })).toEqual({
      kind: 'refused',
      reason: 'changed_meanwhile',
    })
  })

  test('is refused beyond a duration of one day', () => {
    const endMs = later.startMs + 24 * HOUR_MS
    expect(decide({ time: { ...later, endMs } })).toEqual({ kind: 'move' })
    expect(decide({ time: { ...later, endMs: endMs + 1 } })).toEqual({
      kind: 'refused',
      reason: 'longer_than_day',
    })
  })

  test.each(['owner', 'external_calendar'] as const)(
    'by %s never takes the time of another one',
    (causedBy) => {
      for (const reason of ['busy', 'buffer', 'location_taken', 'too_far_ahead'] as const) {
        const decision = decide({ causedBy, anyway: true }, { reasons: [reason, 'off_grid'] })
        expect(decision).toEqual({ kind: 'refused', reason })
      }
    },
  )

  test('to a time that customers are not offered needs confirmation, unless it comes from an external calendar', () => {
    const reasons: StartReason[] = ['outside_hours', 'off_grid']
    expect(decide({}, { reasons })).toEqual({ kind: 'refused', reason: 'outside_hours' })
    expect(decide({ anyway: true }, { reasons })).toEqual({ kind: 'move' })
    expect(decide({ causedBy: 'external_calendar' }, { reasons })).toEqual({ kind: 'move' })
  })

  test('to a past time is possible for the owner only', () => {
    const time = { startMs: NOW - HOUR_MS, endMs: NOW }
    const reasons: StartReason[] = ['begun']
    expect(decide({ time, anyway: true }, { reasons })).toEqual({ kind: 'move' })
    expect(decide({ time, causedBy: 'external_calendar' }, { reasons })).toEqual({
      kind: 'refused',
      reason: 'past',
    })
  })
})
