import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import type { RecordVerdict } from './domain-records.ts'
import { decideDomainStatus, type VerifiedDomainState } from './domain-status.ts'

const NOW = Date.parse('2027-01-04T08:00:00Z')
const ago = (days: number) => NOW - days * DAY_MS

function decide(state: VerifiedDomainState, sinceDays: number | null, pointing: RecordVerdict) {
  const failingSinceMs = sinceDays === null ? null : ago(sinceDays)
  return decideDomainStatus({ state, failingSinceMs }, pointing, NOW)
}

describe('a verified domain (rule I10)', () => {
  test('that points here stays live, and a failing one becomes live again', () => {
    expect(decide('live', 3, 'correct')).toEqual({ state: 'live', failingSinceMs: null, tell: null })
    expect(decide('failing', 20, 'correct')).toEqual({ state: 'live', failingSinceMs: null, tell: null })
  })

  test.each(['missing', 'wrong'] as const)(
    'that is %s: told at once, failing after 7 days, gone after 37',
    (pointing) => {
      expect(decide('live', null, pointing)).toEqual({
        state: 'live',
        failingSinceMs: NOW,
        tell: 'points_elsewhere',
      })
      expect(decide('live', 1, pointing)).toMatchObject({ state: 'live', tell: null })
      expect(decide('live', 6.99, pointing)).toMatchObject({ state: 'live', tell: null })
      expect(decide('live', 7, pointing)).toMatchObject({ state: 'failing', tell: 'failing' })
      expect(decide('failing', 8, pointing)).toMatchObject({ state: 'failing', tell: null })
      expect(decide('failing', 36.99, pointing)).toMatchObject({ state: 'failing', tell: null })
      expect(decide('failing', 37, pointing)).toMatchObject({ state: 'released', tell: 'released' })
    },
  )

  test.each(['unknown', 'spreading'] as const)(
    'that is %s loses nothing, however long (rule I13)',
    (pointing) => {
      for (const days of [null, 3, 8, 100]) {
        expect(decide('live', days, pointing)).toMatchObject({ state: 'live', tell: null })
      }
      expect(decide('failing', 100, pointing)).toMatchObject({ state: 'failing', tell: null })
    },
  )
})

test('an earlier address is released after the same time, without a notification (rule I7)', () => {
  expect(decide('retired', null, 'wrong')).toMatchObject({
    state: 'retired',
    failingSinceMs: NOW,
    tell: null,
  })
  expect(decide('retired', 20, 'wrong')).toMatchObject({ state: 'retired', tell: null })
  expect(decide('retired', 37, 'wrong')).toMatchObject({ state: 'released', tell: null })
  expect(decide('retired', 20, 'correct')).toMatchObject({ state: 'retired', failingSinceMs: null })
})
