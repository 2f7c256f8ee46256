import type { z } from 'zod'
import type {
  ExternalChanges,
  externalChangeDecisionBody,
  externalChangeDecisionResponse,
} from '#contract/external-calendars/external-calendars.ts'
import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import type { EventHooks } from '#server/areas/external-calendars/connections/deps.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import { requestAllEventWrites } from '#server/records/appointments/outbox-repository.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import {
  applyEventDeletion,
  applyEventMove,
  applyExternalChanges,
  recheckDeletedEvent,
} from './apply-external-changes.ts'
import { deleteExternalChanges, listStoredChanges } from './change-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { endEventPostponements } from './event-lease-repository.ts'
import { EVENT_REMOVAL_JOB, PENDING_EVENTS_JOB } from './job-definitions.ts'
import { endWritePause } from './pending-repository.ts'
import { removeEvent } from './remove-leftover-events.ts'
import {
  deleteEvent,
  isAutoSyncOn,
  listEventsOfConnection,
  lockAppointmentForComparison,
} from './repository.ts'
import { requestEventRewrite } from './restore-event.ts'

/** Builds the hooks for `connections`, so that the two folders do not import each other. */
export function buildEventHooks(deps: AppointmentEventsDeps): EventHooks {
  return {
    applyExternalChanges: (sync) => applyExternalChanges(deps, sync),
    removeWrittenEvents: (connectionId) => removeWrittenEvents(deps, connectionId),
    claimQueuedRemovals: (trx, connectionIds) =>
      deps.jobs.withdraw(trx, EVENT_REMOVAL_JOB, { field: 'connectionId', values: connectionIds }),
    writeUpcomingEvents: (trx, calendarId) => writeUpcomingEvents(deps, trx, calendarId),
    writePendingEventsOfConnection: (trx, connectionId) =>
      writePendingEventsOfConnection(deps, trx, connectionId),
  }
}

/** Writes all upcoming appointments of a calendar. Events that already match are not written again. */
async function writeUpcomingEvents(
  deps: Pick<AppointmentEventsDeps, 'now' | 'jobs'>,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  await requestAllEventWrites(trx, calendarId, new Date(deps.now()))
  await deps.jobs.insert(trx, PENDING_EVENTS_JOB, [{}])
}

/**
 * Writes the pending events of an account that works again, at once or when the pause requested by the provider ends.
 * Source: rule G11.
 */
async function writePendingEventsOfConnection(
  deps: Pick<AppointmentEventsDeps, 'jobs' | 'now'>,
  trx: Trx,
  connectionId: string,
): Promise<void> {
  await endWritePause(trx, connectionId, new Date(deps.now()))
  await endEventPostponements(trx, connectionId)
  await deps.jobs.insert(trx, PENDING_EVENTS_JOB, [{}])
}

/** Number of events per page. Each is removed by a separate request. */
const REMOVED_AT_ONCE = 100

/**
 * Removes the events that we wrote through an account, the latest first. After a failure, the completed removals stay
 * recorded. Source: rule G20.
 * @throws CalendarProviderError the provider's error; the caller retries later
 */
async function removeWrittenEvents(deps: AppointmentEventsDeps, connectionId: string): Promise<void> {
  for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE; ) {
    const page = await listEventsOfConnection(deps.db, connectionId, REMOVED_AT_ONCE)
    count = page.length
    for (const { key, event } of page) {
      await withProviderAccess(deps, connectionId, async ({ events }, access) => {
        if (events !== null) await removeEvent({ events, access }, event)
      })
      await deleteEvent(deps.db, key)
    }
  }
}

/**
 * Lists the changes at the provider that wait for the owner's decision. Source: rule G13.
 * @throws ProblemError `calendar.*`
 */
export async function listExternalChanges(
  deps: Pick<AppointmentEventsDeps, 'db' | 'baseUrl' | 'now'>,
  ownerId: OwnerId,
  calendarId: string,
): Promise<ExternalChanges> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const rows = await listStoredChanges(deps.db, ownerId, calendarId, new Date(deps.now()))
  return {
    changes: rows.map((row) => ({
      id: row.id,
      appointment_id: row.appointment_id,
      kind: row.kind,
      reason: row.reason,
      customer_name: row.customer_name,
      people: row.people,
      title: row.title,
      appointment_starts_at: row.appointment_starts_at.toISOString(),
      appointment_ends_at: row.appointment_ends_at.toISOString(),
      starts_at: row.starts_at?.toISOString() ?? null,
      ends_at: row.ends_at?.toISOString() ?? null,
      noticed_at: row.noticed_at.toISOString(),
    })),
  }
}

type Decision = z.output<typeof externalChangeDecisionBody>

/**
 * Carries out the owner's decision about pending changes. A change that is no longer pending, because it was decided in
 * another window or undone at the provider, is not counted. Source: rule G13.
 * @throws ProblemError `calendar.*`, `external_change.not_found` when none of the changes is pending
 */
export async function decideExternalChanges(
  deps: AppointmentEventsDeps,
  ownerId: OwnerId,
  calendarId: string,
  { change_ids, decision }: Decision,
): Promise<z.input<typeof externalChangeDecisionResponse>> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const listed = await listStoredChanges(deps.db, ownerId, calendarId, new Date(deps.now()))
  const decided = listed.filter(({ id }) => change_ids.includes(id))
  if (decided.length === 0) throw new ProblemError('external_change.not_found')
  const refused: { appointment_id: string; reason: string }[] = []
  for (const change of decided) {
    const reason = decision === 'follow' ? await followNow(deps, calendarId, change) : null
    if (decision === 'keep') await keepAppointment(deps, { calendarId, id: change.appointment_id })
    if (reason !== null) refused.push({ appointment_id: change.appointment_id, reason })
  }
  return { done: decided.length - refused.length, refused }
}

type ListedChange = Awaited<ReturnType<typeof listStoredChanges>>[number]

/**
 * Applies a change now and returns the refusal, if any. If the change is refused, the event is restored, so nothing is
 * left to decide.
 */
async function followNow(
  deps: AppointmentEventsDeps,
  calendarId: string,
  change: ListedChange,
): Promise<string | null> {
  const key = { calendarId, id: change.appointment_id }
  const { starts_at, ends_at, appointment_starts_at, appointment_ends_at } = change
  const isDeletion = starts_at === null || ends_at === null
  const returned = isDeletion ? await recheckDeletedEvent(deps, key, change.reason) : null
  if (returned !== null) return returned
  const refusal =
    starts_at === null || ends_at === null
      ? await applyEventDeletion(deps, key)
      : await applyEventMove(deps, key, {
          from: { startMs: appointment_starts_at.getTime(), endMs: appointment_ends_at.getTime() },
          to: { startMs: starts_at.getTime(), endMs: ends_at.getTime() },
          // Accept any etag: the owner has decided, whatever the event contains by now.
          etag: null,
        })
  await inTransaction(deps.db, async (trx) => {
    await deleteExternalChanges(trx, key)
    // A worker may have skipped a restored event while the owner's decision was pending, so its write is queued again.
    await queueEventWrite(deps, trx, { ...key, isNeeded: refusal !== null })
  })
  return refusal
}

/**
 * Keeps the appointment and rewrites its event. While 'Auto Sync' is off, the event is rewritten only once it is turned
 * on.
 */
async function keepAppointment(
  deps: AppointmentEventsDeps,
  key: { calendarId: string; id: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key))) return
    await requestEventRewrite(deps, trx, key, null)
    await deleteExternalChanges(trx, key)
    const details = { is_written: await isAutoSyncOn(trx, key) }
    await recordHistory(trx, key, { kind: 'kept', causedBy: 'owner', details, at: new Date(deps.now()) })
  })
}
