import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { makeOwner, startMeridian, TEST_SECRET_KEY } from '#tests/support/meridian.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { makePracticeFolder, type PracticeFolder } from '#tests/support/practice-folder.ts'
import { startServer } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '../..')
let practice: PracticeFolder
let folder: string

beforeAll(async () => {
  practice = await makePracticeFolder()
  folder = await mkdtemp(join(tmpdir(), 'meridian-operator-'))
})
afterAll(async () => {
  await practice.remove()
  await rm(folder, { recursive: true })
})

type Settings = Readonly<Record<string, string>>

/** Runs `npm run operator -- …`. */
async function run(settings: Settings, ...words: string[]) {
  const options = { cwd: ROOT, env: { PATH: process.env.PATH, ...settings } }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['tools/operator.ts', ...words], options)
    return { code: 0, text: stdout }
  } catch (error) {
    // `execFile` rejects with this error when the command fails.
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, text: stderr }
  }
}

test('on the embedded database, commands work while the product runs, and after it has ended', async () => {
  const settings = { DATA_DIR: practice.dataDir }
  const server = await startServer(practice.dataDir, { DEMO: 'false', LOG_LEVEL: 'info' })
  expect((await run(settings, 'owners')).text).toContain(practice.ownerEmail)
  expect((await run(settings, 'unlock', practice.ownerEmail)).text).toContain('is unlocked')
  expect(await run(settings, 'unlock', 'nobody@example.com')).toEqual({
    code: 1,
    text: expect.stringMatching(/^No account has the address nobody@example\.com\. .*\n$/),
  })
  expect(await run(settings, 'accept-lost-key')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^Stop Meridian/),
  })
  const { stdout } = await server.end('SIGTERM')
  expect(stdout).toContain('"command":"unlock"')
  expect((await run(settings, 'unlock', practice.ownerEmail, 'undo')).text).toContain('as they were')
  const actions = await practice.inspect((database) =>
    database.execute('select action from operator_actions order by at'),
  )
  expect(actions.rows).toEqual([{ action: 'unlocked' }, { action: 'unlock_undone' }])
})

test('on a database server, commands work beside the product, and on an older database they change nothing', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const settings = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY }
  expect((await run(settings, 'owners')).text).toBe(
    'The database is of another version. Start Meridian of this version first.\n',
  )
  const database = await openDatabase({ url, dataDir: folder, poolSize: 2 })
  const meridian = await startMeridian({ database, hasWorkers: false })
  const { email } = await makeOwner(meridian)
  expect((await run(settings, 'give-plan', email, 'business')).text).toBe(
    `${email} has the plan Business now.\n`,
  )
  expect((await run(settings, 'owners')).text).toContain(`${email}  Ada Lovelace`)
  await meridian.stop()
})

test('where there is no database, or no command, the operator reads what to do', async () => {
  expect(await run({ DATA_DIR: join(folder, 'elsewhere') }, 'owners')).toMatchObject({
    code: 1,
    text: expect.stringContaining('There is no database in'),
  })
  expect((await run({})).text).toMatch(/^Say what to do:\n {2}npm run operator -- plans\n/)
})
