import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restoreInto } from '#server/app/backups/restore-into.ts'
import { readConfig } from '#server/app/config.ts'
import { hasKeyForFingerprint } from '#server/app/secret-key.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import { BackupError, readBackup } from '#server/platform/db/backup/backup-file.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'
import { findKeyFingerprint } from '#server/platform/secrets/installation-key.ts'

/**
 * `npm run restore -- FILE`, with the settings of a server that has no data yet and is not running: restores a backup. The
 * backup and Meridian may use different kinds of database. The next start migrates a backup of an older version.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const path = process.argv[2]
  if (path === undefined) throw new BackupError('Say from where: npm run restore -- meridian.backup')
  const config = readConfig(process.env)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config
  const { head, parts } = await readBackup(path)
  const keyPath = join(dataDir, 'secret-key')
  if (head.secretKey !== null && existsSync(keyPath)) {
    throw new BackupError(
      `There is a key in ${keyPath}, and the backup has another. Restore into an empty DATA_DIR.`,
    )
  }
  const database = await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  try {
    const rowCount = await restoreInto(database, { head, parts })
    if (head.secretKey !== null) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await writeFile(keyPath, head.secretKey, { mode: 0o600, flag: 'wx' })
    }
    console.log(`${rowCount} rows of ${head.madeAt} restored`)
    const fingerprint = await findKeyFingerprint(database.db)
    if (fingerprint === null) console.log('Start it with the SECRET_KEY that the backup was made with.')
    else if (await hasKeyForFingerprint(config, fingerprint))
      console.log('It has the key of the backup. Start it.')
    else {
      const wanted = head.secretKey === null ? 'the one that the backup was made with' : `that in ${keyPath}`
      console.log(
        `It does not start with this SECRET_KEY: set ${wanted}. If that key is lost, run "npm run operator -- accept-lost-key".`,
      )
    }
  } finally {
    await database.close()
  }
})
