import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { syncResponse } from '#contract/external-calendars.ts'
import { getOwnCalendar } from '#server/features/calendars/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseSpent } from '#server/platform/budgets/refuse-spent.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { listUsableCalendars } from './calendar-repository.ts'
import { listOwnConnections } from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { type SyncResult, syncConnection } from './sync-use-cases.ts'
import { getExternalCalendars } from './use-cases.ts'

/** How long 'Sync Now' waits for a sync that is under way, in milliseconds. */
const WAIT_MS = 10_000
const LOOK_MS = 250

/**
 * Syncs the accounts that a calendar uses, and says what came of it. Source: rule G15.
 * @throws ProblemError `calendar.*`, `request.too_many`, `external_calendar.nothing_to_sync`,
 *   `external_calendar.authorization_expired`, `external_calendar.sync_failed`, `external_calendar.sync_running`
 */
export async function syncNow(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<z.input<typeof syncResponse>> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const connections = await listUsedConnections(deps, ownerId, calendarId)
  if (connections.length === 0) throw new ProblemError('external_calendar.nothing_to_sync')
  refuseSpent(await deps.budgets.take([{ budget: 'calendar_syncs', subject: calendarId }]))
  let changedEvents = 0
  let refusal: ProblemError | null = null
  for (const { id, state, account_name } of connections) {
    const result = state === 'expired' ? ({ kind: 'expired' } as const) : await syncInTurn(deps, id)
    if ('changedEvents' in result) changedEvents += result.changedEvents
    refusal ??= toRefusal(result, account_name)
  }
  if (refusal !== null) throw refusal
  return {
    changed_events: changedEvents,
    external_calendars: await getExternalCalendars(deps, ownerId, calendarId),
  }
}

async function listUsedConnections(deps: ExternalCalendarsDeps, ownerId: OwnerId, calendarId: string) {
  const calendars = await listUsableCalendars(deps.db, ownerId, calendarId)
  const used = calendars.filter(({ reads_busy_times, writes_events }) => reads_busy_times || writes_events)
  const ids = new Set(used.map(({ connection_id }) => connection_id))
  return (await listOwnConnections(deps.db, ownerId)).filter(({ id }) => ids.has(id))
}

/** One sync of a connection runs at a time: waits for the one that is under way. */
async function syncInTurn(deps: ExternalCalendarsDeps, connectionId: string): Promise<SyncResult> {
  for (const endMs = Date.now() + WAIT_MS; ; ) {
    const result = await syncConnection(deps, connectionId, { listsCalendars: true })
    if (result.kind !== 'busy' || Date.now() >= endMs) return result
    await sleep(LOOK_MS)
  }
}

function toRefusal(result: SyncResult, accountName: string): ProblemError | null {
  switch (result.kind) {
    case 'done':
      return null
    case 'failed':
      return new ProblemError('external_calendar.sync_failed', [
        { path: 'provider', message: `${accountName}: ${result.problem}` },
      ])
    case 'expired':
      return new ProblemError('external_calendar.authorization_expired', [
        { path: 'provider', message: accountName },
      ])
    case 'busy':
      return new ProblemError('external_calendar.sync_running')
  }
}
