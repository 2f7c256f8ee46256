import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { BackupError, readBackup } from '#server/platform/db/backup/backup-file.ts'
import { writeBackup } from '#server/platform/db/backup/write-backup.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { restoreInto } from './backups/restore-into.ts'
import type { BackupRequest, BackupResponse } from './backups/write-in-process.ts'

/** How much this process gives way to others. */
const NICENESS = 5

/**
 * Program of the process that writes a backup of a copied database, and tests it by restoring it into a database that is
 * thrown away. `write-in-process.ts` starts it.
 */
setPriority(NICENESS)
process.on('disconnect', () => process.exit(1))
const [request] = (await once(process, 'message')) as [BackupRequest]
const response: BackupResponse = await run(request).then(
  (rowCount) => ({ rowCount, error: null }),
  (error: unknown) => ({ rowCount: 0, error: error instanceof Error ? error.message : String(error) }),
)
process.send?.(response, () => process.exit(0))

async function run({ copyDir, trialDir, path, madeAt, secretKey }: BackupRequest): Promise<number> {
  const rowCount = await withDatabase(copyDir, ({ db }) =>
    writeBackup(db, { path, now: new Date(madeAt), secretKey }),
  )
  // Make room for the second one.
  await rm(copyDir, { recursive: true })
  const restored = await withDatabase(trialDir, async (database) =>
    restoreInto(database, await readBackup(path)),
  )
  if (restored !== rowCount) throw new BackupError(`Of ${rowCount} rows, ${restored} can be restored.`)
  return rowCount
}

async function withDatabase<Result>(
  dataDir: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ dataDir, poolSize: 1, patient: true })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
