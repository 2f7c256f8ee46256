import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acceptLostKey, listLostSecrets } from '#server/app/accept-lost-key.ts'
import { type Config, readConfig } from '#server/app/config.ts'
import { ALL_JOBS } from '#server/app/jobs.ts'
import { findSecretKey } from '#server/app/secret-key.ts'
import { startBillingProvider } from '#server/app/start-providers.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import { describePlans } from '#server/areas/plans/billing/describe-plans.ts'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { buildJobQueue } from '#server/platform/jobs/job-queue.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'
import { buildLog } from '#server/platform/log.ts'
import { SecretKeyError } from '#server/platform/secrets/secret-keys.ts'

/** The commands, by the word after `npm run operator --`. Each returns the lines to print. */
const COMMANDS: Readonly<Record<string, (config: Config, database: Database) => Promise<string[]>>> = {
  /** Reports the number of owners per plan, the unpaid invoices, and the differences from Stripe. Changes nothing. */
  plans: async (config, { db }) => {
    const now = Date.now
    const billing = await startBillingProvider(config, { db, now, app: () => null })
    try {
      const { DEFAULT_PLAN: defaultTier } = config
      return await describePlans({ db, now, billing: billing.provider, defaultTier })
    } finally {
      await billing.stop()
    }
  },
  /** Reports the data that is lost without the previous SECRET_KEY. With "yes", accepts the loss. */
  'accept-lost-key': async (config, database) => {
    const current = await findSecretKey(config)
    if (current === null) throw new SecretKeyError('Set SECRET_KEY to a new key first.')
    const keys = { current, previous: config.SECRET_KEY_PREVIOUS ?? null }
    await migrate(database.db)
    if (process.argv[3] !== 'yes') return listLostSecrets(database.db, keys)
    const jobs = buildJobQueue(database, buildLog('error'), ALL_JOBS)
    await jobs.start()
    try {
      return [await acceptLostKey({ db: database.db, jobs }, keys)]
    } finally {
      await jobs.stop()
    }
  },
}

/**
 * `npm run operator -- plans` or `npm run operator -- accept-lost-key`, with Meridian's settings. Stop Meridian first if it
 * uses the embedded database, which only one process can open. With a database server, Meridian can keep running.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const run = COMMANDS[process.argv[2] ?? '']
  if (run === undefined) {
    throw new BackupError(
      `Say what to do: ${Object.keys(COMMANDS)
        .map((name) => `npm run operator -- ${name}`)
        .join(' or ')}`,
    )
  }
  const config = readConfig(process.env)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config
  if (url === undefined && !existsSync(join(dataDir, 'pgdata'))) {
    throw new BackupError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the product has it.`,
    )
  }
  const database = await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  try {
    console.log((await run(config, database)).join('\n'))
  } finally {
    await database.close()
  }
})
