import { expect, test } from 'vitest'
import { DEFAULT_POLICY, type Policy } from '#core/appointments/policy.ts'
import { arbitraryChange, type ChangeKind, ONE_CHANGE_OF_EACH_KIND } from '#tests/support/any-change.ts'
import {
  applyPracticeChange,
  finishOutstandingWork,
  makePracticeUnderTest,
} from '#tests/support/changing-practice.ts'
import { makeFakeProviders } from '#tests/support/checkouts.ts'
import * as fc from '#tests/support/fast-check.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import {
  type AppointmentStates,
  expectAllWorkFinished,
  expectPracticeInvariants,
} from '#tests/support/plan-invariants.ts'
import { HALF_REFUND_POLICY } from '#tests/support/policies.ts'

/**
 * No sequence of changes by owners, customers, providers and workers may break an invariant, whenever the emails are
 * sent.
 */

const providers = makeFakeProviders()
// Start no workers: emails are sent and refunds are made only when a generated change says so.
setUpOwner({ hasWorkers: false, undoSeconds: 30, providers, env: { DEFAULT_PLAN: 'enterprise' } })

/**
 * A policy that refunds two thirds until 80 hours before the start, and then one third. Neither is a whole number of
 * cents.
 */
const IN_THIRDS: Policy = {
  moving: { kind: 'until', hours: 0, times: null },
  cancelling: { kind: 'alone', hours: 2, after: 'by_request' },
  refunds: [
    { hours: 80, percent: 67 },
    { hours: 24, percent: 33 },
  ],
}
const SEQUENCES = 20

test('whatever is booked, moved, cancelled, restored, offered and erased: no overlap, the ledger is the money that moved, SEQUENCE rises, one live message an occasion', async () => {
  const done = new Set<ChangeKind>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(DEFAULT_POLICY, HALF_REFUND_POLICY, IN_THIRDS),
      fc.array(arbitraryChange, { minLength: 6, maxLength: 20 }),
      async (policy, changes) => {
        const practice = await makePracticeUnderTest({ meridian, owner, providers }, policy)
        const standings: AppointmentStates = new Map()
        for (const change of changes) {
          if (await applyPracticeChange(practice, change)) done.add(change.kind)
          await expectPracticeInvariants(practice, standings)
        }
        await finishOutstandingWork(practice)
        await expectPracticeInvariants(practice, standings)
        await expectAllWorkFinished(practice)
      },
    ),
    { numRuns: SEQUENCES, examples: [[IN_THIRDS, [...ONE_CHANGE_OF_EACH_KIND]]] },
  )
  // Each kind must have succeeded at least once: a change that is always refused would prove nothing.
  expect(ONE_CHANGE_OF_EACH_KIND.map(({ kind }) => kind).filter((kind) => !done.has(kind))).toEqual([])
})
