import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceTimeFreedByDisconnecting } from '#server/records/freed-times/use-cases.ts'
import { listOpenChannels } from './channel-repository.ts'
import { type ConnectionRow, findConnection } from './connection-repository.ts'
import type { AccessDeps, EventHooks, ExternalCalendarsDeps } from './deps.ts'
import {
  deleteConnection,
  getSecondsUntilWritesEnd,
  hasWrittenEvents,
  listAllConnections,
  lockOwnConnection,
  revokeConnection,
} from './disconnect-repository.ts'
import {
  CALENDAR_REMOVAL_JOB,
  CALENDAR_WITHDRAWAL_JOB,
  REMAINING_EVENTS_MAIL_JOB,
  type RemovableEvent,
  type WithdrawnAccess,
} from './job-definitions.ts'
import { getExternalCalendars } from './use-cases.ts'
import { isPermanentFailure } from './withdrawal-use-cases.ts'

type Disconnection = {
  readonly calendarId: string
  readonly connectionId: string
  /** Whether to keep or remove the events that we wrote to the account. */
  readonly events: 'keep' | 'remove'
}

/**
 * Disconnects an account from all calendars of its owner. Its busy times stop counting at once. A background job
 * removes the events and revokes the access at the provider. Source: rule G20.
 * @throws ProblemError `calendar.*`, `external_calendar.not_found`
 */
export async function disconnectExternalCalendar(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  { calendarId, connectionId, events }: Disconnection,
): Promise<ExternalCalendars> {
  await getOwnCalendar(deps, ownerId, calendarId)
  await inTransaction(deps.db, async (trx) => {
    const connection = await lockOwnConnection(trx, ownerId, connectionId)
    if (connection === null) throw new ProblemError('external_calendar.not_found')
    if (events === 'remove' && (await hasWrittenEvents(trx, connectionId))) {
      await revokeConnection(trx, connectionId, new Date(deps.now()))
      await deps.jobs.insert(trx, CALENDAR_REMOVAL_JOB, [{ connectionId }])
    } else {
      await endConnections(deps, trx, [connection], events)
    }
  })
  return getExternalCalendars(deps, ownerId, calendarId)
}

type EndingDeps = Pick<AccessDeps, 'now' | 'jobs'> & Pick<EventHooks, 'claimQueuedRemovals'>

/** Deletes connections, and queues the remaining work at their providers. The caller has locked them. */
async function endConnections(
  deps: EndingDeps,
  trx: Trx,
  connections: readonly ConnectionRow[],
  events: Disconnection['events'],
): Promise<void> {
  if (connections.length === 0) return
  const ids = connections.map(({ id }) => id)
  const now = new Date(deps.now())
  const channels = await listOpenChannels(trx, ids, now)
  const removals = events === 'remove' ? await deps.claimQueuedRemovals(trx, ids) : []
  const until = new Date(now.getTime() + REMOVAL_MS).toISOString()
  const withdrawn = connections.map(
    (connection): WithdrawnAccess => ({
      connectionId: connection.id,
      provider: connection.provider,
      accountId: connection.account_id,
      sealedCredentials: connection.credentials_encrypted.toString('base64'),
      channels: channels
        .filter(({ connectionId }) => connectionId === connection.id)
        .map(({ id, resourceId }) => ({ id, resourceId })),
      ...toRemoval(
        removals.filter(({ connectionId }) => connectionId === connection.id),
        until,
      ),
    }),
  )
  // If an event is being written right now, the write's own code removes it again, and needs the access for that. So
  // wait for it.
  const afterSeconds = events === 'remove' ? await getSecondsUntilWritesEnd(trx, ids, now) : 0
  await deps.jobs.insert(trx, CALENDAR_WITHDRAWAL_JOB, withdrawn, { afterSeconds })
  await announceTimeFreedByDisconnecting(deps, trx, ids)
  for (const id of ids) await deleteConnection(trx, id)
}

function toRemoval(events: readonly RemovableEvent[], until: string): Pick<WithdrawnAccess, 'removal'> {
  if (events.length === 0) return {}
  return { removal: { events: events.map(({ externalId, eventRef }) => ({ externalId, eventRef })), until } }
}

/**
 * Ends the connections of an account that is being deleted, after its calendars were deleted. A job removes the events
 * of upcoming appointments, and then revokes the access at the providers. The caller has locked the account. Source:
 * rule D4.
 */
export async function disconnectAllOfOwner(deps: EndingDeps, trx: Trx, ownerId: OwnerId): Promise<void> {
  await endConnections(deps, trx, await listAllConnections(trx, ownerId), 'remove')
}

/** How long to retry the removal of events, in milliseconds; remaining events stay. Source: rules D4 and G20. */
const REMOVAL_MS = DAY_MS

/**
 * Removes the events that we wrote through a connection, if its owner requested that, then deletes the connection.
 * Events that the provider does not let us remove stay, and the owner gets an email. Throws to have the job retried.
 * Source: rule G20.
 */
export async function removeConnection(
  deps: AccessDeps & Pick<EventHooks, 'removeWrittenEvents' | 'claimQueuedRemovals'>,
  { connectionId }: { readonly connectionId: string },
): Promise<void> {
  const connection = await findConnection(deps.db, connectionId)
  // The owner has reconnected the account, so keep it.
  if (connection?.state !== 'revoked') return
  try {
    await deps.removeWrittenEvents(connectionId)
  } catch (error) {
    const isLate = deps.now() - connection.updated_at.getTime() > REMOVAL_MS
    if (!isLate && !isPermanentFailure(error)) throw error
    deps.log.warn({ err: error, connectionId }, 'events in an external calendar could not be removed')
  }
  await inTransaction(deps.db, async (trx) => {
    const present = (await listAllConnections(trx, connection.user_id)).find(({ id }) => id === connectionId)
    if (present?.state !== 'revoked') return
    if (await hasWrittenEvents(trx, connectionId)) {
      const { user_id: ownerId, provider, account_name: accountName } = present
      await deps.jobs.insert(trx, REMAINING_EVENTS_MAIL_JOB, [
        { connectionId, ownerId, provider, accountName },
      ])
    }
    await endConnections(deps, trx, [present], 'remove')
  })
}
