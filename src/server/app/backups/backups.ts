import { existsSync } from 'node:fs'
import { constants, cp, mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import { listOutdatedBackups, toBackupName } from '#server/platform/db/backup/backup-names.ts'
import { recordBackup, recordFailedBackup } from '#server/platform/db/backup/write-backup.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { CommandError } from '../commands/command-error.ts'
import type { Config } from '../config.ts'
import { writeInProcess } from './write-in-process.ts'

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

/** The free room that a backup needs, as a multiple of the database: a copy, the backup, and the restored database. */
const NEEDED_ROOM = 3
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

/**
 * Copies the database's files while no statement runs, and has another process make a backup of the copy. So requests
 * wait for the copying only, and the backup is of one moment.
 */
async function makeBackup(
  { database, config, write = writeInProcess }: BackupDeps,
  path: string,
  at: Date,
): Promise<TestedBackup> {
  if (existsSync(path)) throw new BackupError(`${path} is there already. Choose another name.`)
  const files = join(config.DATA_DIR, 'pgdata')
  const folder = dirname(path)
  const workDir = join(folder, WORK_DIR)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(workDir, { recursive: true, force: true })
  await refuseWithoutRoom(files, folder)
  await mkdir(workDir, { mode: 0o700 })
  try {
    const copyDir = join(workDir, 'copy')
    await database.pause(async () => {
      // Where the file system can, the copy shares the blocks of the files and takes no time.
      await cp(files, join(copyDir, 'pgdata'), { recursive: true, mode: constants.COPYFILE_FICLONE })
    })
    const untested = join(workDir, 'untested.backup')
    const request = { copyDir, trialDir: join(workDir, 'trial'), path: untested, madeAt: at.toISOString() }
    const rowCount = await write({ ...request, secretKey: await findOwnKey(config) })
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

/** A backup must not fill the disk: the database, which may be on the same one, would end itself. */
async function refuseWithoutRoom(files: string, folder: string): Promise<void> {
  const [needed, { bavail, bsize }] = [NEEDED_ROOM * (await readSize(files)), await statfs(folder)]
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `${folder} has room for ${toMegabytes(bavail * bsize)} MB, and a backup needs ${toMegabytes(needed)} MB while it is made and tested.`,
  )
}

async function readSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let size = 0
  for (const entry of entries.filter((one) => one.isFile())) {
    // The database may delete a file of its log meanwhile.
    size += await stat(join(entry.parentPath, entry.name)).then(
      (found) => found.size,
      () => 0,
    )
  }
  return size
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000)
}

async function deleteOutdated(folder: string): Promise<void> {
  for (const name of listOutdatedBackups(await readdir(folder))) await rm(join(folder, name), { force: true })
}
