import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBackup } from '#server/platform/db/backup/write-backup.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { bookAppointment, startMeridian } from '#tests/support/meridian.ts'
import { DEMO_SLUG, seedWhenEmpty } from '#tools/seed.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * `node tests/releases/write-release.ts`, run once for each release. Stores a backup of the demo practice and the checksums of
 * the migrations (in the format of `sha256sum`), both named after the version in package.json. src/server/app/releases.test.ts
 * reads them.
 */
const ROOT = join(import.meta.dirname, '../..')
const BASE_PATH = join(import.meta.dirname, packageJson.version)

const meridian = await startMeridian({
  database: await openDatabase({ dataDir: 'memory://', poolSize: 1 }),
})
const { db } = meridian.database
await seedWhenEmpty(meridian.deps)
const { id: appointment_type_id } = await db
  .selectFrom('appointment_types')
  .select('id')
  .where('name', '=', 'Online session')
  .executeTakeFirstOrThrow()
const booked = await bookAppointment(meridian, DEMO_SLUG, {
  starts_at: '2027-01-08T10:00:00Z',
  appointment_type_id,
})
if (booked.statusCode !== 201) throw new Error(`not booked: ${booked.body}`)
await meridian.waitForMail(({ to }) => to.address === 'grace@example.com')
await meridian.jobs.stop()
const rowCount = await writeBackup(db, { path: `${BASE_PATH}.backup`, now: new Date(), secretKey: null })
await meridian.stop()

const names = (await readdir(join(ROOT, 'migrations'))).sort()
const lines = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(join(ROOT, 'migrations', name))
    return `${createHash('sha256').update(text).digest('hex')}  migrations/${name}\n`
  }),
)
await writeFile(`${BASE_PATH}.sha256`, lines.join(''))
process.stdout.write(`${rowCount} rows and ${names.length} migrations of ${packageJson.version}\n`)
