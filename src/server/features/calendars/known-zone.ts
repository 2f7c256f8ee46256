import { toStoredZone } from '#contract/stored-zone.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/**
 * The name under which a zone is stored, whatever way it was written.
 * @throws ProblemError `calendar.time_zone_unknown`
 */
export function toKnownZone(timeZone: string): string {
  if (!isTimeZone(timeZone)) throw new ProblemError('calendar.time_zone_unknown')
  return toStoredZone(timeZone)
}
