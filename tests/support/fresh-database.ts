import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { createDatabase } from './postgres-server.ts'

type FreshOptions = {
  readonly poolSize?: number
  /** Longest wait for a connection, and on a server for a statement. */
  readonly timeoutMs?: number
}

/** A new, empty database on the PostgreSQL server of the tests. */
export async function openServerDatabase(options: FreshOptions = {}): Promise<Database> {
  const url = await createDatabase(inject('postgresUrl'))
  return openDatabase({ url, dataDir: 'unused', poolSize: options.poolSize ?? 10, timeoutMs: options.timeoutMs ?? 5_000 })
}

/** A new, empty embedded database in a folder of its own, which goes when it is closed. */
export async function openEmbeddedDatabase(options: FreshOptions = {}): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-embedded-'))
  const database = await openDatabase({ dataDir, poolSize: 1, timeoutMs: options.timeoutMs ?? 5_000 })
  return {
    ...database,
    async close() {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
