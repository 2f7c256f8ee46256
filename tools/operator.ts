import { acceptLostKey, listLostSecrets } from '#server/app/accept-lost-key.ts'
import { CommandError } from '#server/app/commands/command-error.ts'
import { describeCommands } from '#server/app/commands/operator-commands.ts'
import { openOrNull, runOperatorFromCommandLine } from '#server/app/commands/run-from-command-line.ts'
import { type Config, readConfig } from '#server/app/config.ts'
import { ALL_JOBS } from '#server/app/jobs.ts'
import { findSecretKey } from '#server/app/secret-key.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import type { Database } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { buildJobQueue } from '#server/platform/jobs/job-queue.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'
import { buildLog } from '#server/platform/log.ts'
import { SecretKeyError } from '#server/platform/secrets/secret-keys.ts'

/**
 * `npm run operator -- COMMAND`, with Meridian's settings, while Meridian runs or not. Without a command it lists all of
 * them. Only `accept-lost-key` needs Meridian stopped on the embedded database, because it does not start without its key.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const words = process.argv.slice(2)
  if (words.length === 0) throw new CommandError(describeCommands())
  const config = readConfig(process.env)
  const isKeyLost = words[0] === 'accept-lost-key'
  const lines = isKeyLost
    ? await lookAtLostKey(config, words[1] === 'yes')
    : await runOperatorFromCommandLine(config, words)
  console.log(lines.join('\n'))
})

async function lookAtLostKey(config: Config, accepts: boolean): Promise<string[]> {
  const database = await openOrNull(config)
  if (database === null) throw new CommandError('Stop Meridian first: it has the database open.')
  try {
    return await reportLostKey(config, database, accepts)
  } finally {
    await database.close()
  }
}

/** Reports the data that is lost without the previous SECRET_KEY, or accepts the loss. */
async function reportLostKey(config: Config, database: Database, accepts: boolean): Promise<string[]> {
  const current = await findSecretKey(config)
  if (current === null) throw new SecretKeyError('Set SECRET_KEY to a new key first.')
  const keys = { current, previous: config.SECRET_KEY_PREVIOUS ?? null }
  await migrate(database.db)
  if (!accepts) return listLostSecrets(database.db, keys)
  const jobs = buildJobQueue(database, buildLog('error'), ALL_JOBS)
  await jobs.start()
  try {
    return [await acceptLostKey({ db: database.db, jobs }, keys)]
  } finally {
    await jobs.stop()
  }
}
