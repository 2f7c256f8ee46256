import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { buildSecretBox } from './secret-box.ts'

/** A column whose values are encrypted with SECRET_KEY. */
export type SecretColumn = {
  readonly table: string
  /** The column that identifies a row. Its value is also part of the encryption purpose, if the encryption has one. */
  readonly id: string
  readonly column: string
  /** Returns the codec of the column for this key. */
  readonly withKey: (secretKey: string) => SecretCodec
}

export type SecretCodec = {
  /**
   * Decrypts a stored value.
   * @throws Error when the value was encrypted with another key
   */
  readonly open: (stored: unknown, id: string) => Promise<string>
  readonly seal: (secret: string, id: string) => Promise<unknown>
}

/** A stored value that none of the given keys decrypts. */
export type UnreadableSecret = { readonly table: string; readonly column: string; readonly id: string }

/** The result of re-encrypting the stored values. */
export type ReencryptionResult = {
  /** Number of values that the new key already decrypts. */
  readonly kept: number
  readonly reencrypted: number
  readonly unreadable: readonly UnreadableSecret[]
}

/** Number of rows per read, so that memory use does not grow with the database. */
const BATCH_ROWS = 500

/** Describes a column that is encrypted with the secret box. */
export function describeSecretColumn(
  place: Pick<SecretColumn, 'table' | 'id' | 'column'>,
  toPurpose: (id: string) => string,
): SecretColumn {
  return {
    ...place,
    withKey: (secretKey) => {
      const box = buildSecretBox(secretKey)
      return {
        open: async (stored, id) => box.open(toBuffer(stored), toPurpose(id)),
        seal: async (secret, id) => box.seal(secret, toPurpose(id)),
      }
    },
  }
}

function toBuffer(stored: unknown): Buffer {
  if (!Buffer.isBuffer(stored)) throw new Error('a sealed value is no bytes')
  return stored
}

/**
 * Re-encrypts all values of the previous key with the current key. Without a previous key, it only checks which values
 * can be decrypted.
 */
export async function reencryptSecrets(
  trx: Trx,
  columns: readonly SecretColumn[],
  keys: { readonly current: string; readonly previous: string | null },
): Promise<ReencryptionResult> {
  let kept = 0
  let reencrypted = 0
  const unreadable: UnreadableSecret[] = []
  for (const column of columns) {
    const current = column.withKey(keys.current)
    const previous = keys.previous === null ? null : column.withKey(keys.previous)
    for await (const { id, stored } of listRows(trx, column)) {
      if ((await tryToOpen(current, stored, id)) !== null) {
        kept += 1
        continue
      }
      const secret = previous === null ? null : await tryToOpen(previous, stored, id)
      if (secret === null) {
        unreadable.push({ table: column.table, column: column.column, id })
        continue
      }
      await writeRow(trx, column, id, await current.seal(secret, id))
      reencrypted += 1
    }
  }
  return { kept, reencrypted, unreadable }
}

async function tryToOpen(codec: SecretCodec, stored: unknown, id: string): Promise<string | null> {
  try {
    return await codec.open(stored, id)
  } catch {
    return null
  }
}

async function* listRows(
  db: Db,
  { table, id, column }: SecretColumn,
): AsyncGenerator<{ id: string; stored: unknown }> {
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: { id: string; stored: unknown }[] } = await sql<{ id: string; stored: unknown }>`
      select ${sql.ref(id)} as id, ${sql.ref(column)} as stored from ${sql.table(table)}
      where ${sql.ref(column)} is not null and (${after}::uuid is null or ${sql.ref(id)} > ${after}::uuid)
      order by ${sql.ref(id)} limit ${sql.lit(BATCH_ROWS)}`.execute(db)
    yield* rows
    after = rows.at(-1)?.id ?? null
    if (rows.length < BATCH_ROWS) return
  }
}

async function writeRow(
  trx: Trx,
  { table, id, column }: SecretColumn,
  rowId: string,
  stored: unknown,
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${stored} where ${sql.ref(id)} = ${rowId}`.execute(
    trx,
  )
}
