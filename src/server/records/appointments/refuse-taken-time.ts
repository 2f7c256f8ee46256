import type { ProblemCode } from '#contract/shared/problem.ts'
import { exclusionConstraintOf } from '#server/platform/db/pg-errors.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/** The refusals of a booking when its time or its location is taken. */
export const TIME_TAKEN = {
  time: 'booking.slot_unavailable',
  place: 'booking.location_conflict',
} as const satisfies Record<string, ProblemCode>

/**
 * Runs `work` and turns a violated exclusion constraint into the given refusal, so it reads like any other taken time.
 * Source: rule T20.
 */
export async function refuseTakenTime<Result>(
  refusals: { readonly time: ProblemCode; readonly place: ProblemCode },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const constraint = exclusionConstraintOf(error)
    if (constraint === null) throw error
    const isPlace = constraint === 'appointments_no_location_conflict'
    throw new ProblemError(isPlace ? refusals.place : refusals.time)
  }
}
