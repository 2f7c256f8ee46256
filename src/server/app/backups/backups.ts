import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import { listOutdatedBackups, toBackupName } from '#server/platform/db/backup/backup-names.ts'
import { recordBackup, recordFailedBackup } from '#server/platform/db/backup/write-backup.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { CommandError } from '../commands/command-error.ts'
import type { Config } from '../config.ts'
import { type BackupRequest, writeInProcess } from './write-in-process.ts'

type BackupDeps = {
  readonly database: Database
  readonly config: Pick<Config, 'BACKUP_DIR' | 'DATA_DIR' | 'SECRET_KEY'>
  readonly now: () => number
  readonly log: Pick<Log, 'info'>
  /** Replaces the process that writes and tests the backup, for tests. */
  readonly write?: typeof writeInProcess
}

/** A backup that was written and restored once. */
export type TestedBackup = { readonly path: string; readonly rowCount: number }

/** Backups of the embedded database while it is in use. Source: rule D20. */
export type Backups = {
  /**
   * Makes a backup at `path`, or in BACKUP_DIR, where it then deletes outdated ones. Records that it worked or why not.
   * @throws CommandError with the reason
   */
  readonly make: (path?: string) => Promise<TestedBackup>
}

/** Name of the folder beside the backup; what a killed process left there is removed. */
const WORK_DIR = '.meridian-backup-in-progress'

export function buildBackups(deps: BackupDeps): Backups {
  const { database, now, log } = deps
  let isUnderWay = false
  return {
    async make(path) {
      if (isUnderWay) throw new CommandError('A backup is being made already.')
      isUnderWay = true
      const at = new Date(now())
      try {
        const made = await makeBackup(deps, path ?? toPath(deps, at), at)
        await recordBackup(database.db, at)
        log.info(made, 'backup made and restored as a test')
        if (path === undefined) await deleteOutdated(dirname(made.path))
        return made
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        await recordFailedBackup(database.db, { at, reason })
        throw new CommandError(`No backup was made: ${reason}`)
      } finally {
        isUnderWay = false
      }
    },
  }
}

function toPath({ config }: BackupDeps, at: Date): string {
  if (config.BACKUP_DIR === undefined)
    throw new BackupError('Say where to: npm run backup -- meridian.backup, or set BACKUP_DIR.')
  return join(config.BACKUP_DIR, toBackupName(at))
}

/** Has another process make a backup, so that requests wait only while it copies the database's files. */
async function makeBackup(
  { database, config, write = writeInProcess }: BackupDeps,
  path: string,
  at: Date,
): Promise<TestedBackup> {
  if (existsSync(path)) throw new BackupError(`${path} is there already. Choose another name.`)
  const folder = dirname(path)
  const workDir = join(folder, WORK_DIR)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(workDir, { recursive: true, force: true })
  await mkdir(workDir, { mode: 0o700 })
  try {
    const untested = join(workDir, 'untested.backup')
    const request: BackupRequest = {
      filesDir: join(config.DATA_DIR, 'pgdata'),
      copyDir: join(workDir, 'copy'),
      path: untested,
      madeAt: at.toISOString(),
      secretKey: await findOwnKey(config),
    }
    const rowCount = await write(request, database)
    await rename(untested, path)
    return { path, rowCount }
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/**
 * Returns the key that was generated in the data directory, which belongs to the data. Null when the operator set
 * SECRET_KEY and keeps it.
 */
export async function findOwnKey({
  SECRET_KEY,
  DATA_DIR,
}: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Promise<string | null> {
  if (SECRET_KEY !== undefined) return null
  return readFile(join(DATA_DIR, 'secret-key'), 'utf8').catch(() => null)
}

async function deleteOutdated(folder: string): Promise<void> {
  for (const name of listOutdatedBackups(await readdir(folder))) await rm(join(folder, name), { force: true })
}
