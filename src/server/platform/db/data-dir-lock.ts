import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process uses this data directory. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string) {
    super(
      `Another Meridian process is using the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
    )
    this.name = 'DataDirInUseError'
  }
}

/**
 * Locks the data directory for this process; two processes on one embedded database would corrupt it. Uses SQLite's
 * exclusive file lock, which the operating system releases whenever the process ends, so a crash leaves no stale lock.
 * @throws DataDirInUseError when another process holds the lock
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

/** SQLITE_BUSY: another process holds the lock. Other SQLite errors, such as a full disk, are rethrown. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
