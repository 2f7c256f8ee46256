import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process has this data directory open. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string) {
    super(
      `Another Meridian process is using the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
    )
    this.name = 'DataDirInUseError'
  }
}

/**
 * Locks the data directory for this process; two processes on one embedded database would destroy it.
 *
 * The lock is SQLite's exclusive lock on a file of its own. The operating system drops it when the process ends in any
 * way, so a crash never leaves a stale lock behind.
 *
 * @throws DataDirInUseError when another process has the lock
 */
export function lockDataDir(dataDir: string): { release: () => void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw isBusy(error) ? new DataDirInUseError(dataDir) : error
  }
  return { release: () => lock.close() }
}

/**
 * SQLITE_BUSY: another process has the lock. Any other error of SQLite (a full disk, for example) is reported as it is.
 */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
