import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { findOwnKey } from '#server/app/backups/backups.ts'
import { CommandError } from '#server/app/commands/command-error.ts'
import { askRunning, openOrNull } from '#server/app/commands/run-from-command-line.ts'
import { readConfig } from '#server/app/config.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import { toBackupName } from '#server/platform/db/backup/backup-names.ts'
import { recordBackup, writeBackup } from '#server/platform/db/backup/write-backup.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'

/** Long enough for the largest embedded database. */
const TIMEOUT_MS = 3 * 60 * 60 * 1000

const madeSchema = z.object({ path: z.string(), rowCount: z.number() })

/**
 * `npm run backup -- FILE`, with Meridian's settings: writes a snapshot of all rows to a new file, in BACKUP_DIR without a
 * file. Meridian can keep running. On the embedded database it makes the backup itself, and restores it as a test.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const config = readConfig(process.env)
  const now = new Date()
  const file = process.argv[2] ?? (config.BACKUP_DIR && join(config.BACKUP_DIR, toBackupName(now)))
  if (file === undefined) throw new CommandError('Say where to: npm run backup -- meridian.backup')
  const path = resolve(file)
  if (existsSync(path)) throw new CommandError(`${path} is there already. Choose another name.`)
  const secretKey = await findOwnKey(config)
  const database = await openOrNull(config)
  if (database === null) {
    const made = madeSchema.parse(await askRunning(config, ['backup', path], TIMEOUT_MS))
    console.log(`${made.rowCount} rows in ${made.path}, restored as a test`)
  } else {
    try {
      const rowCount = await writeBackup(database.db, { path, now, secretKey })
      await recordBackup(database.db, now)
      console.log(`${rowCount} rows in ${path}`)
    } finally {
      await database.close()
    }
  }
  if (secretKey === null) console.log('Without SECRET_KEY, which is in your settings: keep that too.')
})
