import { describe, expect, test } from 'vitest'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import { makeClockChangeCases } from '#tests/conformance/clock-change-cases.ts'
import { makeRuleCases } from '#tests/conformance/rule-cases.ts'
import {
  formatCaseInstant,
  readCases,
  type SlotCaseInput,
  toSlotsQuery,
} from '#tests/conformance/slot-case.ts'
import { listOpenSlots } from './open-slots.ts'
import { listOpenStarts } from './session-starts.ts'

const SEARCHED = [
  { file: 'rules.json', makeCases: makeRuleCases },
  { file: 'clock-changes.json', makeCases: makeClockChangeCases },
]

/** The examples of the rules list the labels that people see, too. */
describe('an example of the rules', () => {
  for (const { name, input, expected } of readCases<object>('slots.json')) {
    test(name, () => {
      const labelOf = (startMs: number) => localTimeOf(startMs, input.timezone)
      const labelled = findStarts(input).map((startMs) => ({
        starts_at: formatCaseInstant(startMs),
        slot_start: labelOf(startMs),
        slot_end: labelOf(startMs + input.duration_minutes * 60_000),
      }))
      expect(labelled).toEqual(expected)
    })
  }
})

describe.each(SEARCHED)('$file of the conformance pack', ({ file, makeCases }) => {
  test('has the answers of a search that shares no code with the engine', () => {
    expect(readCases(file)).toEqual(makeCases())
  })

  test('has the answers of the engine', () => {
    for (const { name, input, expected } of readCases(file))
      expect(findStarts(input).map(formatCaseInstant), name).toEqual(expected)
  })
})

function findStarts(input: SlotCaseInput): readonly number[] {
  const { nowMs, ...query } = toSlotsQuery(input)
  const days = nowMs === null ? listOpenSlots({ ...query, nowMs }) : listOpenStarts({ ...query, nowMs })
  return days.flatMap(({ startsMs }) => startsMs)
}
