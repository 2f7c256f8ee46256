import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { buildSecretBox } from './secret-box.ts'
import { SecretKeyError, type SecretKeys, toFingerprint, toSigningKey } from './secret-keys.ts'
import { type ReencryptionResult, reencryptSecrets, type SecretColumn } from './stored-secrets.ts'

const NAMES_PURPOSE = 'key of names'

/** Error for operators whose SECRET_KEY does not match the database. */
export const WRONG_SECRET_KEY_MESSAGE =
  'SECRET_KEY is not the key that this database was used with. Start with that key. ' +
  'To change the key, set the earlier one as SECRET_KEY_PREVIOUS beside the new one. ' +
  'If the earlier key is lost, "npm run operator -- accept-lost-key" says what is lost with it, and accepts that.'

/**
 * Returns the fingerprint of the key that encrypts the stored secrets; null before the first start, and in databases of
 * versions without fingerprints.
 */
export async function findKeyFingerprint(db: Db): Promise<string | null> {
  const found = await sql<{
    exists: boolean
  }>`select to_regclass('installation') is not null as exists`.execute(db)
  if (found.rows[0]?.exists !== true) return null
  const row = await db.selectFrom('installation').select('key_fingerprint').executeTakeFirst()
  return row?.key_fingerprint ?? null
}

/**
 * Binds the database to the current key. If it was bound to the previous key, re-encrypts everything stored.
 * Source: rules D14 and D15.
 * @returns what was re-encrypted; null when the database already used the current key
 * @throws SecretKeyError when the database belongs to another key
 */
export function bindToSecretKey(
  db: Db,
  columns: readonly SecretColumn[],
  keys: SecretKeys,
): Promise<ReencryptionResult | null> {
  return inTransaction(db, async (trx) => {
    // Lock the table, so that processes which start at the same time wait for each other.
    await sql`lock table installation in exclusive mode`.execute(trx)
    const stored = await findKeyFingerprint(trx)
    if (stored === toFingerprint(keys.current)) return null
    if (stored === null) return recordFirstKey(trx, columns, keys)
    if (keys.previous === null || stored !== toFingerprint(keys.previous))
      throw new SecretKeyError(WRONG_SECRET_KEY_MESSAGE)
    const namesKey = await readPseudonymKey(trx, keys.previous)
    const change = await reencryptSecrets(trx, columns, keys)
    await storeKey(trx, keys.current, namesKey)
    return change
  })
}

/**
 * Records the first fingerprint. A database of an earlier version has secrets but no fingerprint. If the current key
 * decrypts any of them, it is accepted as the database's key; other secrets may be unreadable because of an earlier key
 * change.
 */
async function recordFirstKey(
  trx: Trx,
  columns: readonly SecretColumn[],
  keys: SecretKeys,
): Promise<ReencryptionResult> {
  const change = await reencryptSecrets(trx, columns, keys)
  const { kept, reencrypted, unreadable } = change
  if (kept + reencrypted === 0 && unreadable.length > 0) throw new SecretKeyError(WRONG_SECRET_KEY_MESSAGE)
  const isChanged = keys.previous !== null && kept === 0 && reencrypted > 0
  await storeKey(trx, keys.current, toSigningKey(isChanged ? keys.previous : keys.current))
  return change
}

/**
 * Binds the database to the current key although the earlier key is lost. The key for pseudonyms is regenerated, unless
 * the settings have the earlier key as the previous one. `forget` deletes the secrets that no key decrypts.
 */
export function replaceLostKey(
  db: Db,
  columns: readonly SecretColumn[],
  keys: SecretKeys,
  forget: (trx: Trx, change: ReencryptionResult) => Promise<void>,
): Promise<ReencryptionResult> {
  return inTransaction(db, async (trx) => {
    await sql`lock table installation in exclusive mode`.execute(trx)
    const change = await reencryptSecrets(trx, columns, keys)
    await forget(trx, change)
    const stored = await findKeyFingerprint(trx)
    if (stored !== toFingerprint(keys.current)) {
      const isPrevious = keys.previous !== null && stored === toFingerprint(keys.previous)
      const namesKey = isPrevious ? await readPseudonymKey(trx, keys.previous) : toSigningKey(keys.current)
      await storeKey(trx, keys.current, namesKey)
    }
    return change
  })
}

/**
 * Returns the key for pseudonyms of addresses. Source: rule D17.
 * @throws Error when the database does not belong to this key
 */
export async function readPseudonymKey(db: Db, secretKey: string): Promise<Buffer> {
  const row = await db.selectFrom('installation').select('names_key_encrypted').executeTakeFirstOrThrow()
  return Buffer.from(buildSecretBox(secretKey).open(row.names_key_encrypted, NAMES_PURPOSE), 'base64')
}

async function storeKey(trx: Trx, secretKey: string, namesKey: Buffer): Promise<void> {
  const values = {
    key_fingerprint: toFingerprint(secretKey),
    names_key_encrypted: buildSecretBox(secretKey).seal(namesKey.toString('base64'), NAMES_PURPOSE),
  }
  await trx
    .insertInto('installation')
    .values({ ...values, last_backup_at: null })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(values))
    .execute()
}
