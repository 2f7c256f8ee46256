import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { scheduleSyncs } from './calendar-repository.ts'
import { scheduleSyncIfHealthy } from './channel-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { CALENDAR_CHANNELS_JOB, CALENDAR_SYNC_JOB } from './job-definitions.ts'
import { listConnectionsWithoutZone } from './zone-repository.ts'

/** Schedules syncs of connections at once, and opens channels for newly used calendars. */
export async function queueSyncs(
  deps: Pick<ExternalCalendarsDeps, 'jobs' | 'now'>,
  trx: Trx,
  connectionIds: readonly string[],
): Promise<void> {
  const at = new Date(deps.now())
  const hurried = await scheduleSyncs(trx, connectionIds, at)
  if (hurried.length > 0) {
    await deps.jobs.insert(
      trx,
      CALENDAR_SYNC_JOB,
      hurried.map((connectionId) => ({ connectionId, queuedAt: at.toISOString() })),
    )
  }
  await deps.jobs.insert(trx, CALENDAR_CHANNELS_JOB, [{}])
}

/** Schedules a sync of a healthy connection at once, unless one is already due. */
export async function scheduleSync(
  deps: Pick<ExternalCalendarsDeps, 'jobs' | 'now'>,
  trx: Trx,
  connectionId: string,
): Promise<void> {
  const at = new Date(deps.now())
  if (!(await scheduleSyncIfHealthy(trx, connectionId, at))) return
  await deps.jobs.insert(trx, CALENDAR_SYNC_JOB, [{ connectionId, queuedAt: at.toISOString() }])
}

/**
 * After a calendar's zone has changed, schedules syncs of those external calendars it uses that have no zone of their
 * own. If the rate limit is exceeded, they wait for their next regular sync. The caller has locked the calendar.
 * Source: rules G4 and H14.
 */
export async function queueSyncsInNewZone(
  deps: Pick<ExternalCalendarsDeps, 'jobs' | 'now' | 'budgets'>,
  trx: Trx,
  { ownerId, calendarId }: { readonly ownerId: OwnerId; readonly calendarId: string },
): Promise<void> {
  const connectionIds = await listConnectionsWithoutZone(trx, calendarId)
  if (connectionIds.length === 0) return
  const spent = await deps.budgets.spend([{ budget: 'calendar_rewrites', subject: ownerId }], trx)
  if (spent === null) await queueSyncs(deps, trx, connectionIds)
}
