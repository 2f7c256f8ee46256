import { findCanonicalTimeZone } from '#contract/shared/stored-zone.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/**
 * Returns the name under which a time zone is stored, for any accepted spelling or alias.
 * @throws ProblemError `calendar.time_zone_unknown`
 */
export function toStoredTimeZone(timeZone: string): string {
  const stored = findCanonicalTimeZone(timeZone)
  if (stored === null) throw new ProblemError('calendar.time_zone_unknown')
  return stored
}
