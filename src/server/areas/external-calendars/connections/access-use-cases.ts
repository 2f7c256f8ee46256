import { DAY_MS } from '#core/shared/duration.ts'
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
  markConnectionExpired,
  replaceCredentials,
} from './connection-repository.ts'
import type { AccessDeps } from './deps.ts'
import { CALENDAR_EXPIRED_MAIL_JOB } from './job-definitions.ts'

/**
 * Calls a provider with the credentials of a connection. Credentials that the adapter renews are stored, unless another
 * process has renewed them in the meantime; then the adapter continues with the newer ones. If the provider rejects the
 * credentials, the connection is marked as expired. Source: rule G17.
 * @throws CalendarProviderError the provider's error; `expired` for a connection that has already expired; `gone` when
 * the connection does not exist; `refused` when the provider is not configured on this installation
 */
export async function withProviderAccess<Answer>(
  deps: AccessDeps,
  connectionId: string,
  use: (provider: CalendarProvider, access: CalendarAccess) => Promise<Answer>,
): Promise<Answer> {
  const connection = await findConnection(deps.db, connectionId)
  if (connection === null) throw new CalendarProviderError('gone', 'This account is no longer connected.')
  if (connection.state === 'expired') throw new CalendarProviderError('expired', EXPIRED)
  const provider = deps.calendarProviders[connection.provider]
  if (provider === undefined) {
    throw new CalendarProviderError('refused', 'This provider isn’t available on this site.')
  }
  // The version of the credentials used last. The connection has expired only if the provider rejects this version.
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

const EXPIRED = 'Access to this account has expired. Please reconnect it.'

function toAccess(
  deps: AccessDeps,
  { id, credentials_encrypted }: Pick<ConnectionRow, 'id' | 'credentials_encrypted'>,
  present: { version: number },
): CalendarAccess {
  return {
    credentials: decryptCredentials(deps, id, credentials_encrypted),
    findOwnerEmail: () => findOwnerEmail(deps.db, id),
    async saveCredentials(credentials) {
      const sealed = encryptCredentials(deps, id, credentials)
      const at = new Date(deps.now())
      const version = await replaceCredentials(deps.db, { id, version: present.version, sealed, at })
      if (version !== null) {
        present.version = version
        return credentials
      }
      const newer = await findConnection(deps.db, id)
      if (newer === null) throw new CalendarProviderError('gone', 'This account is no longer connected.')
      present.version = newer.credentials_version
      return decryptCredentials(deps, id, newer.credentials_encrypted)
    },
  }
}

/** Encrypts credentials so that they can be decrypted only for their connection. */
export function encryptCredentials(
  { secrets }: Pick<AccessDeps, 'secrets'>,
  connectionId: string,
  credentials: string,
): Buffer {
  return secrets.seal(credentials, toConnectionPurpose(connectionId))
}

/**
 * Decrypts the credentials of a connection.
 * @throws CalendarProviderError `expired` when they cannot be decrypted, because the installation now has another key
 */
export function decryptCredentials(
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

/** Returns the purpose under which the credentials of a connection are encrypted. */
export function toConnectionPurpose(connectionId: string): string {
  return `calendar connection:${connectionId}`
}

/**
 * Marks a connection as expired and queues one email to its owner. Does nothing if the credentials were renewed in the
 * meantime. Source: rule G17.
 */
async function recordExpiry(
  deps: AccessDeps,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const at = new Date(deps.now())
    if (!(await markConnectionExpired(trx, { id, version, problem: EXPIRED, at }))) return
    await deps.jobs.insert(trx, CALENDAR_EXPIRED_MAIL_JOB, [{ connectionId: id, toldAt: at.toISOString() }])
  })
}

/** Longest pause that a provider may request; longer ones are shortened. */
const LONGEST_PAUSE_MS = DAY_MS

/** Returns when the pause that a provider requested ends. Null when it requested none. */
export function findRequestedPauseEnd({ kind, retryAfterMs }: CalendarProviderError, at: Date): Date | null {
  if (kind !== 'rate_limited' || retryAfterMs === null) return null
  return new Date(at.getTime() + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
}
