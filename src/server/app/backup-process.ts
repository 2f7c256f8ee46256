import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { BackupError, readBackup } from '#server/platform/db/backup/backup-file.ts'
import { writeBackup } from '#server/platform/db/backup/write-backup.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { restoreInto } from './backups/restore-into.ts'
import type { BackupProgress, BackupRequest } from './backups/write-in-process.ts'

/** How much this process gives way to others, once nothing waits for it. */
const NICENESS = 5
/** The free room that a backup needs, as a multiple of the database: a copy, the backup, and its rows restored. */
const NEEDED_ROOM = 3
const STEP_DONE: BackupProgress = { rowCount: 0, error: null }

/**
 * Program of the process that copies the paused database, writes a backup of the copy, and tests it by restoring it into
 * the copy, emptied. `write-in-process.ts` starts it. It does all work on files, because in a busy product each
 * of these thousands of calls would wait for a turn of the event loop.
 */
process.on('disconnect', () => process.exit(1))
const [request] = (await once(process, 'message')) as [BackupRequest]
const outcome = await run(request).then(
  (rowCount): BackupProgress => ({ rowCount, error: null }),
  (error: unknown): BackupProgress => ({
    rowCount: 0,
    error: error instanceof Error ? error.message : String(error),
  }),
)
rmSync(request.copyDir, { recursive: true, force: true })
process.send?.(outcome, () => process.exit(0))

async function run({ filesDir, copyDir, path, madeAt, secretKey }: BackupRequest): Promise<number> {
  refuseWithoutRoom(filesDir, dirname(path))
  mkdirSync(copyDir)
  process.send?.(STEP_DONE)
  await once(process, 'message')
  cpSync(filesDir, join(copyDir, 'pgdata'), { recursive: true })
  process.send?.(STEP_DONE)
  setPriority(NICENESS)
  const database = await openDatabase({ dataDir: copyDir, poolSize: 1, patient: true })
  const rowCount = await writeBackup(database.db, { path, now: new Date(madeAt), secretKey })
  // Creating a second database would take twice the memory and room.
  await database.execute('drop schema public, pgboss cascade; create schema public')
  const restored = await restoreInto(database, await readBackup(path))
  await database.close()
  if (restored !== rowCount) throw new BackupError(`Of ${rowCount} rows, ${restored} can be restored.`)
  return rowCount
}

/** A backup must not fill the disk: the database, which may be on the same one, would end itself. */
function refuseWithoutRoom(filesDir: string, folder: string): void {
  const [needed, { bavail, bsize }] = [NEEDED_ROOM * readSize(filesDir), statfsSync(folder)]
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `The disk of ${folder} has room for ${toMegabytes(bavail * bsize)} MB, and a backup needs ${toMegabytes(needed)} MB while it is made and tested.`,
  )
}

function readSize(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(
      ({ parentPath, name }) =>
        // The database may delete a file of its log meanwhile.
        statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0,
    )
    .reduce((sum, size) => sum + size, 0)
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000)
}
