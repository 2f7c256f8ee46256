import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import {
  adoptSecretKey,
  findKeyFingerprint,
  readNamesKey,
} from '#server/platform/secrets/installation-key.ts'
import { SecretKeyError, type SecretKeys, toFingerprint } from '#server/platform/secrets/secret-keys.ts'
import { buildNameSigner, type Signer } from '#server/platform/secrets/signer.ts'
import type { Config } from './config.ts'
import { STORED_SECRETS } from './stored-secrets.ts'

type KeySettings = Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'DATA_DIR'>

/** The keys of the installation, and the signer of the names that stand for addresses. */
export type OpenedKeys = { readonly keys: SecretKeys; readonly names: Pick<Signer, 'sign'> }

/**
 * Opens the database with the keys of the settings. A changed key makes the start encrypt the stored secrets anew.
 * Source: rules D14 and D15.
 * @throws SecretKeyError when the database belongs to another key
 */
export async function openSecretKeys(config: KeySettings, db: Db, log: Log): Promise<OpenedKeys> {
  const keys = await getSecretKeys(config, db)
  const change = await adoptSecretKey(db, STORED_SECRETS, keys)
  if (change !== null && change.reencrypted + change.unreadable.length > 0) {
    const { reencrypted, unreadable } = change
    log.warn(
      { reencrypted, unreadable: unreadable.length },
      'SECRET_KEY has changed, and the stored secrets were encrypted anew',
    )
  }
  return { keys, names: buildNameSigner(await readNamesKey(db, keys.current)) }
}

/**
 * The keys of the settings. Without SECRET_KEY the key is in the data directory, and the first start makes it.
 * @throws SecretKeyError when the database was used before and the key is gone
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

/** The key of the settings or of the data directory; null when there is none. */
export async function findSecretKey(config: KeySettings): Promise<string | null> {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY
  const text = await readFile(pathOf(config), 'utf8').catch(() => null)
  return text === null || text.trim() === '' ? null : text.trim()
}

/** True when a start with these settings will open the database, whose key has this fingerprint. */
export async function hasKeyFor(config: KeySettings, fingerprint: string): Promise<boolean> {
  const keys = [await findSecretKey(config), config.SECRET_KEY_PREVIOUS]
  return keys.some((key) => key != null && toFingerprint(key) === fingerprint)
}

/** Makes a key in the data directory that only its owner can read. */
async function makeSecretKey(config: KeySettings): Promise<string> {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of two processes that start together, one writes and both read.
    await writeFile(pathOf(config), randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(pathOf(config), 'utf8')).trim()
}

function pathOf({ DATA_DIR }: KeySettings): string {
  return join(DATA_DIR, 'secret-key')
}
