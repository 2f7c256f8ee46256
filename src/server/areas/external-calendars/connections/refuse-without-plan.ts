import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseUnlessInPlan } from '#server/records/subscription/use-cases.ts'
import type { ExternalCalendarsDeps } from './deps.ts'

/**
 * The gate of everything that connects external calendars, whatever their provider. Source: rule S4.
 * @throws ProblemError `external_calendar.not_in_plan`
 */
export function refuseWithoutPlan(
  deps: Pick<ExternalCalendarsDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
): Promise<void> {
  return refuseUnlessInPlan(deps, ownerId, 'external_calendars')
}
