import { findStoredZone } from '#contract/stored-zone.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/**
 * The name under which a zone is stored, however it was written.
 * @throws ProblemError `calendar.time_zone_unknown`
 */
export function toStoredTimeZone(timeZone: string): string {
  const stored = findStoredZone(timeZone)
  if (stored === null) throw new ProblemError('calendar.time_zone_unknown')
  return stored
}
