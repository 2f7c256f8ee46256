import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { syncResponse } from '#contract/external-calendars/external-calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { listSelectableExternalCalendars } from './calendar-repository.ts'
import { type ConnectionRow, listOwnConnections } from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { CALENDAR_SYNC_JOB } from './job-definitions.ts'
import { requestFullSync } from './sync-lease-repository.ts'
import { getExternalCalendars } from './use-cases.ts'

/** How long 'Sync Now' waits for the syncs, in milliseconds; the syncs continue afterwards. */
const WAIT_MS = 8_000
const POLL_MS = 250

/**
 * Syncs the accounts that a calendar uses, or whose busy times count for it, waits a few seconds, and reports the
 * result. Workers run the syncs, in parallel, because an account can take minutes. Source: rule G15.
 * @throws ProblemError `calendar.*`, `request.too_many`, `external_calendar.nothing_to_sync`,
 * `external_calendar.authorization_expired`, `external_calendar.sync_failed`
 */
export async function syncNow(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<z.input<typeof syncResponse>> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const used = await listUsedConnections(deps, ownerId, calendarId)
  if (used.length === 0) throw new ProblemError('external_calendar.nothing_to_sync')
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'calendar_syncs', subject: calendarId }]))
  const askedAt = new Date(deps.now())
  await inTransaction(deps.db, async (trx) => {
    const ids = await requestFullSync(
      trx,
      used.map(({ id }) => id),
      askedAt,
    )
    const queuedAt = askedAt.toISOString()
    await deps.jobs.insert(
      trx,
      CALENDAR_SYNC_JOB,
      ids.map((connectionId) => ({ connectionId, queuedAt })),
    )
  })
  const connections = await waitForSyncs(deps, ownerId, { calendarId, askedAt })
  const results = connections.map((connection) => ({ connection, result: toResult(connection, askedAt) }))
  for (const { connection, result } of results) refuseFailed(connection, result)
  return {
    is_running: results.some(({ result }) => result === 'running'),
    external_calendars: await getExternalCalendars(deps, ownerId, calendarId),
  }
}

async function listUsedConnections(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<ConnectionRow[]> {
  const calendars = await listSelectableExternalCalendars(deps.db, ownerId, calendarId)
  const used = calendars.filter(
    ({ reads_busy_times, writes_events, reader_id }) =>
      reads_busy_times || writes_events || reader_id !== null,
  )
  const ids = new Set(used.map(({ connection_id }) => connection_id))
  return (await listOwnConnections(deps.db, ownerId)).filter(({ id }) => ids.has(id))
}

/** Returns the accounts when all are synced, or after a few seconds. */
async function waitForSyncs(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  { calendarId, askedAt }: { readonly calendarId: string; readonly askedAt: Date },
): Promise<ConnectionRow[]> {
  for (const endMs = performance.now() + WAIT_MS; ; ) {
    const connections = await listUsedConnections(deps, ownerId, calendarId)
    const isOver = connections.every((connection) => toResult(connection, askedAt) !== 'running')
    if (isOver || performance.now() >= endMs) return connections
    await sleep(POLL_MS)
  }
}

type Result = 'done' | 'failed' | 'expired' | 'running'

/** Returns the result of an account's sync that was requested at `askedAt`. */
function toResult(connection: ConnectionRow, askedAt: Date): Result {
  const { state, problem, sync_claim, next_sync_at, paused_until, last_success_at, failed_at } = connection
  if (state === 'expired') return 'expired'
  const endedAtMs = Math.max(last_success_at?.getTime() ?? 0, failed_at?.getTime() ?? 0)
  // The provider requested a pause, so do not wait for its end.
  if (sync_claim === null && paused_until !== null && paused_until > askedAt) return 'failed'
  // A sync that started before the request may have missed changes; in that case another sync is due and follows.
  const isDue = next_sync_at.getTime() <= askedAt.getTime()
  if (sync_claim !== null || isDue || endedAtMs < askedAt.getTime()) return 'running'
  return problem === null ? 'done' : 'failed'
}

/** The message that a connection has when the provider requested a pause. */
const PAUSED = 'The provider asked us to wait.'

/**
 * Refuses the request when a sync failed.
 * @throws ProblemError `external_calendar.sync_failed`, `external_calendar.authorization_expired`
 */
function refuseFailed({ account_name, problem }: ConnectionRow, result: Result): void {
  if (result === 'expired') {
    throw new ProblemError('external_calendar.authorization_expired', [
      { path: 'provider', message: account_name },
    ])
  }
  if (result === 'failed') {
    throw new ProblemError('external_calendar.sync_failed', [
      { path: 'provider', message: `${account_name}: ${problem ?? PAUSED}` },
    ])
  }
}
