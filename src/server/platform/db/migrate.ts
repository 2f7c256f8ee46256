import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './database.ts'

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../../migrations')

/**
 * The first migration of versions before 0.2.0, whose migrations were merged into the current files. It identifies
 * databases of those versions.
 */
const BEFORE_FIRST_RELEASE = '0001-foundation.sql'

/** The program cannot use this database; the message says why, and what the operator should do. */
export class DatabaseVersionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DatabaseVersionError'
  }
}

/** Advisory lock key; any constant works, as long as all processes use the same one. */
const MIGRATION_LOCK = 7_205_113

/**
 * Applies the numbered `.sql` files that this database has not seen, in order, each in its own transaction. Concurrent
 * processes wait for each other. `isWanted` skips migrations that are newer than a backup.
 * @throws Error when an applied file was modified
 * @throws DatabaseVersionError when the database is newer than this program, or older than 0.2.0
 */
export async function migrate(
  db: Db,
  dir = MIGRATIONS_DIR,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
    await sql`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`.execute(trx)
  })
  const checksums = await readApplied(db, files)
  const applied: string[] = []
  for (const name of files.filter(isWanted)) {
    const text = await readFile(join(dir, name), 'utf8')
    // Skip applied files without opening a transaction.
    if (checksums.get(name) === checksumOf(text)) continue
    if (await applyOnce(db, name, text)) applied.push(name)
  }
  return applied
}

async function applyOnce(db: Db, name: string, text: string): Promise<boolean> {
  const checksum = checksumOf(text)
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
    const done = await sql<{ checksum: string }>`
      select checksum from schema_migrations where name = ${name}`.execute(trx)
    const before = done.rows[0]
    if (before !== undefined) {
      if (before.checksum !== checksum) {
        throw new Error(`Migration ${name} was changed after it was applied. Add a new migration instead.`)
      }
      return false
    }
    for (const statement of splitStatements(text)) await sql.raw(statement).execute(trx)
    await sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`.execute(trx)
    return true
  })
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Returns the checksums of the applied migrations by name.
 * @throws DatabaseVersionError when the database is newer than this program, or older than 0.2.0
 */
async function readApplied(db: Db, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const applied = sql<{ name: string; checksum: string }>`select name, checksum from schema_migrations`
  const { rows } = await applied.execute(db)
  const unknown = rows.map((row) => row.name).filter((name) => !files.includes(name))
  if (isBeforeFirstRelease(unknown)) {
    throw new DatabaseVersionError(
      'This database was made by a version before 0.2.0 and cannot be upgraded. ' +
        'Start with an empty database: set DATABASE_URL or DATA_DIR to another one.',
    )
  }
  if (unknown.length > 0) {
    throw new DatabaseVersionError(
      `The database has migrations this program does not know: ${unknown.join(', ')}. ` +
        'Start the version that made them, or a later one.',
    )
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** True for migrations of a version before 0.2.0, which cannot be upgraded. */
export function isBeforeFirstRelease(migrations: readonly string[]): boolean {
  return migrations.includes(BEFORE_FIRST_RELEASE)
}

/**
 * Splits a migration file into statements, which are sent one at a time: several statements in one text use the simple
 * protocol, which hides which one failed. Semicolons at line ends terminate a statement, except inside a function body
 * between `$$` and `$$`.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let isInBody = false
  for (const part of text.replace(/^\s*--.*$/gm, '').split(/;\s*$/m)) {
    if (isInBody) statements.push(`${statements.pop()};\n${part.trim()}`)
    else statements.push(part.trim())
    if (part.split('$$').length % 2 === 0) isInBody = !isInBody
  }
  return statements.filter((statement) => statement !== '')
}
