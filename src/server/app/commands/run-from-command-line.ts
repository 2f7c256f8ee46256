import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { DataDirInUseError } from '#server/platform/db/data-dir-lock.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { buildLog } from '#server/platform/log.ts'
import { compose } from '../compose.ts'
import type { Config } from '../config.ts'
import { compareMigrations } from '../doctor/check-database.ts'
import { CommandError } from './command-error.ts'
import { askRunningProduct } from './command-listener.ts'
import { runOperatorCommand } from './operator-commands.ts'

const TIMEOUT_MS = 5 * MINUTE_MS

/**
 * Runs a command of the operator while the product runs or not: on a database server and on an embedded database that
 * nobody has open here, on others in the process that has it open.
 * @throws CommandError when the command cannot be carried out
 */
export async function runOperatorFromCommandLine(
  config: Config,
  words: readonly string[],
): Promise<string[]> {
  const database = await openOrNull(config)
  if (database === null) return z.array(z.string()).parse(await askRunning(config, ['operator', ...words]))
  try {
    // `compose` would apply them, below processes of an older version that still run.
    if ((await compareMigrations(database))?.missing.length !== 0)
      throw new CommandError('The database is of another version. Start Meridian of this version first.')
    const meridian = await compose(config, { database, log: buildLog('error') })
    try {
      return await runOperatorCommand(meridian.deps, words)
    } finally {
      await meridian.stop()
    }
  } finally {
    await database.close()
  }
}

/**
 * Opens the database; null when the running product has the embedded database open.
 * @throws CommandError when there is no database
 */
export async function openOrNull({ DATABASE_URL: url, DATA_DIR: dataDir }: Config): Promise<Database | null> {
  if (url === undefined && !existsSync(join(dataDir, 'pgdata'))) {
    throw new CommandError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the product has it.`,
    )
  }
  try {
    return await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  } catch (error) {
    if (error instanceof DataDirInUseError) return null
    throw error
  }
}

/**
 * Runs a command in the running product.
 * @throws CommandError when it fails, or when the product does not respond
 */
export async function askRunning(
  { DATA_DIR: dataDir }: Config,
  words: readonly string[],
  timeoutMs = TIMEOUT_MS,
) {
  try {
    return await askRunningProduct(dataDir, words, timeoutMs)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `Another Meridian process is using the data directory ${dataDir} and does not answer. If it is starting, wait a moment; else look into its log.`,
    )
  }
}
