import type { ExternalCalendarSettings } from '#contract/external-calendars.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { ExternalCalendarRow } from './calendar-repository.ts'
import type { ConnectionRow } from './connection-repository.ts'

const TRUSTED_MS = 24 * HOUR_MS
const CHECKED_MS = 30 * MINUTE_MS

/** Whether nothing is offered because of this external calendar. Source: rule G8. */
export function isUncheckable(
  { synced_at, is_gone }: Pick<ExternalCalendarRow, 'synced_at' | 'is_gone'>,
  {
    connection,
    policy,
    nowMs,
  }: {
    readonly connection: Pick<ConnectionRow, 'state' | 'failed_attempts'> | undefined
    readonly policy: ExternalCalendarSettings['when_unchecked']
    readonly nowMs: number
  },
): boolean {
  if (is_gone || policy === 'always_offer') return false
  const ageMs = synced_at === null ? Number.POSITIVE_INFINITY : nowMs - synced_at.getTime()
  if (policy === 'trust_copy') return ageMs > TRUSTED_MS
  return connection?.state !== 'active' || connection.failed_attempts > 0 || ageMs > CHECKED_MS
}
