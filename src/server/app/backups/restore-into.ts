import type { BackupHeader, BackupPart } from '#server/platform/db/backup/backup-file.ts'
import { restoreBackup } from '#server/platform/db/backup/restore-backup.ts'
import type { Database } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { buildJobQueue } from '#server/platform/jobs/job-queue.ts'
import { buildLog } from '#server/platform/log.ts'
import { ALL_JOBS } from '../jobs.ts'

/**
 * Creates the tables of a backup's version in an empty database, and restores the backup into it.
 * @returns the number of rows
 * @throws BackupError when the database has rows, or the backup is incomplete or of another version
 */
export async function restoreInto(
  database: Database,
  backup: { readonly head: BackupHeader; readonly parts: AsyncIterable<BackupPart> },
): Promise<number> {
  await migrate(database.db, undefined, (name) => backup.head.migrations.includes(name))
  const jobs = buildJobQueue(database, buildLog('error'), ALL_JOBS)
  await jobs.start()
  await jobs.stop()
  return restoreBackup(database.db, backup)
}
