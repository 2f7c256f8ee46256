import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '#server/app/config.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import { recordBackup, writeBackup } from '#server/platform/db/backup/write-backup.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'

/**
 * `npm run backup -- FILE`, with Meridian's settings: writes a snapshot of all rows to a new file. Stop Meridian first if
 * it uses the embedded database, which only one process can open. With a database server, Meridian can keep running.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const path = process.argv[2]
  if (path === undefined) throw new BackupError('Say where to: npm run backup -- meridian.backup')
  if (existsSync(path)) throw new BackupError(`${path} is there already. Choose another name.`)
  const config = readConfig(process.env)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config
  if (url === undefined && !existsSync(join(dataDir, 'pgdata'))) {
    throw new BackupError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the product has it.`,
    )
  }
  // A SECRET_KEY from the settings is the operator's to keep. A key generated on the first start belongs to the data, so it is
  // backed up.
  const secretKey =
    config.SECRET_KEY === undefined
      ? await readFile(join(dataDir, 'secret-key'), 'utf8').catch(() => null)
      : null
  const database = await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  try {
    const now = new Date()
    const rowCount = await writeBackup(database.db, { path, now, secretKey })
    await recordBackup(database.db, now)
    console.log(`${rowCount} rows in ${path}`)
    if (secretKey === null) console.log('Without SECRET_KEY, which is in your settings: keep that too.')
  } finally {
    await database.close()
  }
})
