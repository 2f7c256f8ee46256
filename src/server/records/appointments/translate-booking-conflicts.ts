import type { ProblemCode } from '#contract/shared/problem.ts'
import { findViolatedExclusionConstraint } from '#server/platform/db/pg-errors.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/** The refusals of a booking whose time or location is already taken. */
export const BOOKING_CONFLICT_CODES = {
  time: 'booking.slot_unavailable',
  place: 'booking.location_conflict',
} as const satisfies Record<string, ProblemCode>

/**
 * Runs `work` and converts a violated exclusion constraint to the given refusal, so that a concurrent booking gets the
 * same response as a time known to be taken. Source: rule T20.
 */
export async function translateBookingConflicts<Result>(
  refusals: { readonly time: ProblemCode; readonly place: ProblemCode },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const constraint = findViolatedExclusionConstraint(error)
    if (constraint === null) throw error
    const isPlace = constraint === 'appointments_no_location_conflict'
    throw new ProblemError(isPlace ? refusals.place : refusals.time)
  }
}
