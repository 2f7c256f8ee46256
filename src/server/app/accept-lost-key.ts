import { turnOffTwoFactors } from '#server/areas/accounts/security/two-factor-use-cases.ts'
import { deleteCalendarFeeds } from '#server/areas/external-calendars/feeds/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { findKeyFingerprint, replaceLostKey } from '#server/platform/secrets/installation-key.ts'
import { type SecretKeys, toFingerprint } from '#server/platform/secrets/secret-keys.ts'
import {
  type ReencryptionResult,
  reencryptSecrets,
  type UnreadableSecret,
} from '#server/platform/secrets/stored-secrets.ts'
import { STORED_SECRETS } from './stored-secrets.ts'

/**
 * Lists for the operator the secrets that are lost together with a key: one line per kind, with the number of values
 * that no key in the settings can decrypt. Changes nothing.
 */
export async function listLostSecrets(db: Db, keys: SecretKeys): Promise<string[]> {
  const [unreadable, fingerprint] = await inTransaction(db, async (trx) => [
    await listUnreadable(trx, keys),
    await findKeyFingerprint(trx),
  ])
  const isLost = ![keys.current, keys.previous].some(
    (key) => key !== null && toFingerprint(key) === fingerprint,
  )
  const count = (table: string) => new Set(listIds({ unreadable }, table)).size
  if (!isLost && unreadable.length === 0) {
    return ['Nothing is lost: the keys of the settings open everything in this database. Start Meridian.']
  }
  return [
    'Without its earlier key, this database loses:',
    `  ${count('two_factors')} second factors: they are turned off, and their owners get an email`,
    `  ${count('calendar_connections')} connected calendar accounts: their owners reconnect them, and get an email at the next sync`,
    `  ${count('payment_settings')} PayPal apps: their owners enter the secret again`,
    `  ${count('calendar_feeds')} secret addresses of calendar feeds: their owners make new ones`,
    ...(isLost
      ? ['  every link and code that was mailed, every login, and which addresses have stopped our emails']
      : []),
    'To accept that: npm run operator -- accept-lost-key yes',
  ]
}

/** Lists the stored values that no key in the settings can decrypt. */
async function listUnreadable(trx: Trx, { current, previous }: SecretKeys): Promise<UnreadableSecret[]> {
  const look = async (key: string) =>
    (await reencryptSecrets(trx, STORED_SECRETS, { current: key, previous: null })).unreadable
  const lost = await look(current)
  if (previous === null) return [...lost]
  const nameOf = ({ table, column, id }: UnreadableSecret) => `${table}.${column}.${id}`
  const lostToPrevious = new Set((await look(previous)).map(nameOf))
  return lost.filter((secret) => lostToPrevious.has(nameOf(secret)))
}

/**
 * Binds the database to the key in the settings and deletes the secrets that the lost key had encrypted. For example,
 * owners whose second factor cannot be verified could otherwise not log in. Source: rule D18.
 */
export async function acceptLostKey(
  { db, jobs }: { readonly db: Db; readonly jobs: Pick<JobQueue, 'insert'> },
  keys: SecretKeys,
): Promise<string> {
  await replaceLostKey(db, STORED_SECRETS, keys, async (trx, change) => {
    // The cast is safe: the ids of this table are owner ids.
    await turnOffTwoFactors({ jobs }, trx, listIds(change, 'two_factors') as OwnerId[])
    await deleteCalendarFeeds(trx, listIds(change, 'calendar_feeds'))
  })
  return 'The database belongs to the SECRET_KEY of the settings now. Start Meridian.'
}

function listIds({ unreadable }: Pick<ReencryptionResult, 'unreadable'>, table: string): string[] {
  return [...new Set(unreadable.filter((secret) => secret.table === table).map(({ id }) => id))]
}
