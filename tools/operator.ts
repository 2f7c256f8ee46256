import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startBillingProvider } from '#server/app/billing-provider.ts'
import { readConfig } from '#server/app/config.ts'
import { serveOrExplain } from '#server/app/serve.ts'
import { describePlans } from '#server/features/billing/describe-plans.ts'
import { BackupError } from '#server/platform/db/backup/backup-error.ts'
import { openDatabase } from '#server/platform/db/database.ts'

/**
 * `npm run operator -- plans`, with the settings of the product: it shows how many owners have which plan, who owes a payment, and what
 * differs from Stripe. It changes nothing. Only one process can open the embedded database, so the product must be stopped first.
 * With a database server the product can keep running.
 */
await serveOrExplain(async () => {
  const [, , view] = process.argv
  if (view !== 'plans') throw new BackupError('Say what to show: npm run operator -- plans')
  const config = readConfig(process.env)
  const { DATABASE_URL: url, DATA_DIR: dataDir, DEFAULT_PLAN: defaultTier } = config
  if (url === undefined && !existsSync(join(dataDir, 'pgdata'))) {
    throw new BackupError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the product has it.`,
    )
  }
  const database = await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  const now = Date.now
  const billing = await startBillingProvider(config, { db: database.db, now, app: () => null })
  try {
    const lines = await describePlans({ db: database.db, now, billing: billing.provider, defaultTier })
    console.log(lines.join('\n'))
  } finally {
    await billing.stop()
    await database.close()
  }
})
