import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compose } from '#server/app/compose.ts'
import { readConfig } from '#server/app/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'

const PATH = join(import.meta.dirname, '../openapi.json')

/** Writes `openapi.json` from the routes. With `--check`, only compares them, and fails when they differ. */
const config = readConfig({
  LOG_LEVEL: 'silent',
  BASE_URL: 'http://localhost:3000',
  SECRET_KEY: 'x'.repeat(32),
})
const database = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
const meridian = await compose(config, { database })
const text = `${JSON.stringify(meridian.app.swagger(), null, 1)}\n`
await meridian.stop()

if (!process.argv.includes('--check')) {
  await writeFile(PATH, text)
  console.log('openapi.json written')
} else if ((await readFile(PATH, 'utf8').catch(() => '')) !== text) {
  console.error('openapi.json does not match the routes. Run: npm run openapi')
  process.exit(1)
} else {
  console.log('openapi.json matches the routes')
}
