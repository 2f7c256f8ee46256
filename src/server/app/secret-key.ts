import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import {
  bindToSecretKey,
  findKeyFingerprint,
  readPseudonymKey,
} from '#server/platform/secrets/installation-key.ts'
import { SecretKeyError, type SecretKeys, toFingerprint } from '#server/platform/secrets/secret-keys.ts'
import { buildPseudonymSigner, type Signer } from '#server/platform/secrets/signer.ts'
import type { Config } from './config.ts'
import { STORED_SECRETS } from './stored-secrets.ts'

type KeySettings = Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'DATA_DIR'>

/** The installation's keys, and the signer of pseudonyms for email addresses. */
export type InstallationKeys = { readonly keys: SecretKeys; readonly names: Pick<Signer, 'sign'> }

/**
 * Binds the database to the configured keys. If the key was changed, re-encrypts the stored secrets.
 * Source: rules D14 and D15.
 * @throws SecretKeyError when the database belongs to another key
 */
export async function bindSecretKeys(config: KeySettings, db: Db, log: Log): Promise<InstallationKeys> {
  const keys = await getSecretKeys(config, db)
  const change = await bindToSecretKey(db, STORED_SECRETS, keys)
  if (change !== null && change.reencrypted + change.unreadable.length > 0) {
    const { reencrypted, unreadable } = change
    log.warn(
      { reencrypted, unreadable: unreadable.length },
      'SECRET_KEY has changed, and the stored secrets were encrypted anew',
    )
  }
  return { keys, names: buildPseudonymSigner(await readPseudonymKey(db, keys.current)) }
}

/**
 * Returns the configured keys. If SECRET_KEY is not set, the key is stored in the data directory; the first start
 * generates it.
 * @throws SecretKeyError when the database was used before and the key is missing
 */
export async function getSecretKeys(config: KeySettings, db: Db): Promise<SecretKeys> {
  const previous = config.SECRET_KEY_PREVIOUS ?? null
  const found = await findSecretKey(config)
  if (found !== null) return { current: found, previous }
  if ((await findKeyFingerprint(db)) !== null) {
    throw new SecretKeyError(
      `The key of this database is missing: ${pathOf(config)}. Put that file back, or set SECRET_KEY to what was in it. ` +
        'If it is lost, set SECRET_KEY to a new key and run "npm run operator -- accept-lost-key".',
    )
  }
  return { current: await makeSecretKey(config), previous }
}

/** Returns the key from the settings or the data directory; null when there is none. */
export async function findSecretKey(config: KeySettings): Promise<string | null> {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY
  const text = await readFile(pathOf(config), 'utf8').catch(() => null)
  return text === null || text.trim() === '' ? null : text.trim()
}

/** True when a start with these settings can open a database with this key fingerprint. */
export async function hasKeyForFingerprint(config: KeySettings, fingerprint: string): Promise<boolean> {
  const keys = [await findSecretKey(config), config.SECRET_KEY_PREVIOUS]
  return keys.some((key) => key != null && toFingerprint(key) === fingerprint)
}

/** Generates a key in the data directory, which only the directory's owner can read. */
async function makeSecretKey(config: KeySettings): Promise<string> {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  try {
    // Create the file exclusively: if two processes start together, one writes the key and both read it.
    await writeFile(pathOf(config), randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(pathOf(config), 'utf8')).trim()
}

function pathOf({ DATA_DIR }: KeySettings): string {
  return join(DATA_DIR, 'secret-key')
}
