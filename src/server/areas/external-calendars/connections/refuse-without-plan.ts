import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseUnlessInPlan } from '#server/records/subscription/use-cases.ts'
import type { ExternalCalendarsDeps } from './deps.ts'

/**
 * Refuses owners whose plan does not include external calendars, whatever the provider. Source: rule S4.
 * @throws ProblemError `external_calendar.not_in_plan`
 */
export function refuseWithoutPlan(
  deps: Pick<ExternalCalendarsDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
): Promise<void> {
  return refuseUnlessInPlan(deps, ownerId, 'external_calendars')
}
