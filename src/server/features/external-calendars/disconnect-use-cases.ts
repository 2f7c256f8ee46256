import type { ExternalCalendars } from '#contract/external-calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { getOwnCalendar } from '#server/features/calendars/use-cases.ts'
import { announceDisconnectedTime } from '#server/features/freed-times/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { type CalendarAccess, CalendarProviderError } from '#server/ports/external-calendar.ts'
import { openCredentials } from './access-use-cases.ts'
import { listOpenChannels } from './channel-repository.ts'
import { type ConnectionRow, findConnection } from './connection-repository.ts'
import type { AccessDeps, EventHooks, ExternalCalendarsDeps } from './deps.ts'
import {
  deleteConnection,
  hasWrittenEvents,
  isAccountConnected,
  listAllConnections,
  lockOwnConnection,
  revokeConnection,
} from './disconnect-repository.ts'
import {
  CALENDAR_REMOVAL,
  CALENDAR_WITHDRAWAL,
  EVENTS_LEFT_MAIL,
  type WithdrawnAccess,
} from './job-definitions.ts'
import { getExternalCalendars } from './use-cases.ts'

type Disconnection = {
  readonly calendarId: string
  readonly connectionId: string
  /** What becomes of the events that we wrote there. */
  readonly events: 'keep' | 'remove'
}

/**
 * Disconnects an account from all calendars of its owner. Nothing of it is busy any more, at once. Removing events and
 * withdrawing the access at the provider follow in the background. Source: rule G20.
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
      await deps.jobs.insert(trx, CALENDAR_REMOVAL, [{ connectionId }])
    } else {
      await endConnections(deps, trx, [connection])
    }
  })
  return getExternalCalendars(deps, ownerId, calendarId)
}

/** Deletes connections, and queues what is left to do at their providers. */
async function endConnections(
  deps: Pick<AccessDeps, 'now' | 'jobs'>,
  trx: Trx,
  connections: readonly ConnectionRow[],
): Promise<void> {
  if (connections.length === 0) return
  const ids = connections.map(({ id }) => id)
  const channels = await listOpenChannels(trx, ids, new Date(deps.now()))
  const withdrawn = connections.map(
    (connection): WithdrawnAccess => ({
      connectionId: connection.id,
      provider: connection.provider,
      accountId: connection.account_id,
      sealedCredentials: connection.credentials_encrypted.toString('base64'),
      channels: channels
        .filter(({ connectionId }) => connectionId === connection.id)
        .map(({ id, resourceId }) => ({ id, resourceId })),
    }),
  )
  await deps.jobs.insert(trx, CALENDAR_WITHDRAWAL, withdrawn)
  await announceDisconnectedTime(deps, trx, ids)
  for (const id of ids) await deleteConnection(trx, id)
}

/** Before an account is deleted: ends its connections, with the access at the providers. Its row is locked. Source: rule D4. */
export async function endConnectionsOf(
  deps: Pick<AccessDeps, 'now' | 'jobs'>,
  trx: Trx,
  ownerId: OwnerId,
): Promise<void> {
  await endConnections(deps, trx, await listAllConnections(trx, ownerId))
}

/** How long the removal of events is tried; afterwards they stay. In milliseconds. */
const REMOVAL_MS = DAY_MS

/**
 * Removes the events that we wrote through a connection whose owner wants that, and then the connection. Events that the
 * provider does not let us remove any more stay, and the owner is told. Throws to be tried again. Source: rule G20.
 */
export async function removeConnection(
  deps: AccessDeps & Pick<EventHooks, 'removeWrittenEvents'>,
  { connectionId }: { readonly connectionId: string },
): Promise<void> {
  const connection = await findConnection(deps.db, connectionId)
  // The owner has connected the account again.
  if (connection?.state !== 'revoked') return
  try {
    await deps.removeWrittenEvents(connectionId)
  } catch (error) {
    const isLate = deps.now() - connection.updated_at.getTime() > REMOVAL_MS
    if (!isLate && !isFinal(error)) throw error
    deps.log.warn({ err: error, connectionId }, 'events in an external calendar could not be removed')
  }
  await inTransaction(deps.db, async (trx) => {
    const present = (await listAllConnections(trx, connection.user_id)).find(({ id }) => id === connectionId)
    if (present?.state !== 'revoked') return
    if (await hasWrittenEvents(trx, connectionId)) {
      const { user_id: ownerId, provider, account_name: accountName } = present
      await deps.jobs.insert(trx, EVENTS_LEFT_MAIL, [{ connectionId, ownerId, provider, accountName }])
    }
    await endConnections(deps, trx, [present])
  })
}

/**
 * Ends the channels of a connection that is gone, and our access to its account. It stays where somebody is connected with the
 * same account: most providers withdraw it for all at once. Throws to be tried again. Source: rule G20.
 */
export async function withdrawAccess(
  deps: Omit<AccessDeps, 'jobs'>,
  { connectionId, provider: name, accountId, sealedCredentials, channels }: WithdrawnAccess,
): Promise<void> {
  const provider = deps.calendarProviders[name]
  if (provider === undefined) return
  try {
    let credentials = openCredentials(deps, connectionId, Buffer.from(sealedCredentials, 'base64'))
    const access: CalendarAccess = {
      get credentials() {
        return credentials
      },
      async saveCredentials(renewed) {
        credentials = renewed
        return renewed
      },
    }
    for (const channel of channels) {
      await tolerate(deps, connectionId, async () => provider.push?.unsubscribe(access, channel))
    }
    if (await isAccountConnected(deps.db, { provider: name, accountId })) return
    await tolerate(deps, connectionId, () => provider.disconnect(access))
  } catch (error) {
    if (!isFinal(error)) throw error
    deps.log.info({ err: error, connectionId }, 'the credentials of an external calendar were lost')
  }
}

/** What the provider refuses for good was gone already. */
async function tolerate(
  deps: Pick<AccessDeps, 'log'>,
  connectionId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isFinal(error)) throw error
    deps.log.info({ err: error, connectionId }, 'the access to an external calendar was gone already')
  }
}

/** Whether another try changes nothing. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof CalendarProviderError && error.kind !== 'unavailable' && error.kind !== 'rate_limited'
  )
}
