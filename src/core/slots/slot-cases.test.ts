import { describe, expect, test } from 'vitest'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import clockChanges from '#tests/cases/clock-changes.json' with { type: 'json' }
import ruleCases from '#tests/cases/rules.json' with { type: 'json' }
import slotCases from '#tests/cases/slots.json' with { type: 'json' }
import { makeClockChangeCases } from '#tests/conformance/clock-change-cases.ts'
import { makeRuleCases } from '#tests/conformance/rule-cases.ts'
import {
  formatCaseInstant,
  type SlotCase,
  type SlotCaseInput,
  toSlotsQuery,
} from '#tests/conformance/slot-case.ts'
import { listOpenSlots } from './open-slots.ts'
import { listOpenStarts } from './session-starts.ts'

/** The examples of the rules list the labels that people see, too. */
describe('an example of the rules', () => {
  for (const { name, input, expected } of slotCases.cases) {
    test(name, () => {
      const labelOf = (startMs: number) => localTimeOf(startMs, input.timezone)
      const labelled = findStarts(input as SlotCaseInput).map((startMs) => ({
        starts_at: formatCaseInstant(startMs),
        slot_start: labelOf(startMs),
        slot_end: labelOf(startMs + input.duration_minutes * 60_000),
      }))
      expect(labelled).toEqual(expected)
    })
  }
})

describe('the conformance pack', () => {
  test.each<[string, readonly SlotCase[], readonly SlotCase[]]>([
    ['rules', ruleCases.cases as SlotCase[], makeRuleCases()],
    ['clock changes', clockChanges.cases as SlotCase[], makeClockChangeCases()],
  ])(
    'lists the %s with the answers of a search that shares no code with the engine',
    (_, published, made) => {
      expect(published).toEqual(made)
    },
  )

  test('has the answers of the engine', () => {
    for (const { name, input, expected } of [...ruleCases.cases, ...clockChanges.cases] as SlotCase[]) {
      expect(findStarts(input).map(formatCaseInstant), name).toEqual(expected)
    }
  })
})

function findStarts(input: SlotCaseInput): readonly number[] {
  const { nowMs, ...query } = toSlotsQuery(input)
  const days = nowMs === null ? listOpenSlots({ ...query, nowMs }) : listOpenStarts({ ...query, nowMs })
  return days.flatMap(({ startsMs }) => startsMs)
}
