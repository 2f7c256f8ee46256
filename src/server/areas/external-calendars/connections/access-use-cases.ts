import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
} from '#server/ports/external-calendar.ts'
import {
  type ConnectionRow,
  findConnection,
  findOwnerEmail,
  replaceCredentials,
  setExpired,
} from './connection-repository.ts'
import type { AccessDeps } from './deps.ts'
import { CALENDAR_EXPIRED_MAIL } from './job-definitions.ts'

/**
 * Uses an account at a provider. Credentials that the adapter renews are stored, unless another process renewed them meanwhile:
 * then the adapter goes on with those. Credentials that the provider refuses make the connection expired. Source: rule G17.
 * @throws CalendarProviderError what the provider answers; `expired` at once for a connection that is; `gone` when there is no
 *   such connection any more; `refused` when this installation has no such provider
 */
export async function withAccess<Answer>(
  deps: AccessDeps,
  connectionId: string,
  use: (provider: CalendarProvider, access: CalendarAccess) => Promise<Answer>,
): Promise<Answer> {
  const connection = await findConnection(deps.db, connectionId)
  if (connection === null) throw new CalendarProviderError('gone', 'This account is no longer connected.')
  if (connection.state === 'expired') throw new CalendarProviderError('expired', EXPIRED)
  const provider = deps.calendarProviders[connection.provider]
  if (provider === undefined) {
    throw new CalendarProviderError('refused', 'This installation does not connect to this provider.')
  }
  // Those that were used last: only their refusal says something.
  const present = { version: connection.credentials_version }
  try {
    return await use(provider, toAccess(deps, connection, present))
  } catch (error) {
    if (error instanceof CalendarProviderError && error.kind === 'expired') {
      await recordExpiry(deps, { id: connectionId, version: present.version })
    }
    throw error
  }
}

const EXPIRED = 'The access to this account has expired. Please reconnect it.'

function toAccess(
  deps: AccessDeps,
  { id, credentials_encrypted }: Pick<ConnectionRow, 'id' | 'credentials_encrypted'>,
  present: { version: number },
): CalendarAccess {
  return {
    credentials: openCredentials(deps, id, credentials_encrypted),
    findOwnerEmail: () => findOwnerEmail(deps.db, id),
    async saveCredentials(credentials) {
      const sealed = sealCredentials(deps, id, credentials)
      const at = new Date(deps.now())
      const version = await replaceCredentials(deps.db, { id, version: present.version, sealed, at })
      if (version !== null) {
        present.version = version
        return credentials
      }
      const newer = await findConnection(deps.db, id)
      if (newer === null) throw new CalendarProviderError('gone', 'This account is no longer connected.')
      present.version = newer.credentials_version
      return openCredentials(deps, id, newer.credentials_encrypted)
    },
  }
}

/** The stored form of credentials: they open for their connection only. */
export function sealCredentials(
  { secrets }: Pick<AccessDeps, 'secrets'>,
  connectionId: string,
  credentials: string,
): Buffer {
  return secrets.seal(credentials, toConnectionPurpose(connectionId))
}

/** @throws CalendarProviderError `expired` when they cannot be read any more, because the installation has another key now */
export function openCredentials(
  { secrets }: Pick<AccessDeps, 'secrets'>,
  connectionId: string,
  sealed: Buffer,
): string {
  try {
    return secrets.open(sealed, toConnectionPurpose(connectionId))
  } catch (cause) {
    throw new CalendarProviderError('expired', EXPIRED, { cause })
  }
}

/** The purpose that the credentials of a connection are encrypted with. */
export function toConnectionPurpose(connectionId: string): string {
  return `calendar connection:${connectionId}`
}

/** The owner gets one email. Credentials that were renewed meanwhile are not meant. Source: rule G17. */
async function recordExpiry(
  deps: AccessDeps,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const at = new Date(deps.now())
    if (!(await setExpired(trx, { id, version, problem: EXPIRED, at }))) return
    await deps.jobs.insert(trx, CALENDAR_EXPIRED_MAIL, [{ connectionId: id, toldAt: at.toISOString() }])
  })
}
