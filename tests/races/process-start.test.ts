// @module-tag slow
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findFreePort } from '#tests/support/free-port.ts'
import { makePracticeFolder, type PracticeFolder } from '#tests/support/practice-folder.ts'
import { printDuration } from '#tests/support/race-track.ts'
import { runServer, type ServerProcess, startServer } from '#tests/support/server-process.ts'

describe('settings that are wrong', () => {
  test('are all named at once, each in a line, and the process ends with 1', async () => {
    const ending = await runServer({
      NODE_ENV: 'staging',
      PORT: 'eighty',
      BASE_URL: 'book.example',
      DATABASE_URL: 'mysql://localhost/meridian',
      SECRET_KEY: 'short',
      SMTP_URL: 'mail.example:25',
      MAIL_FROM: 'nobody',
      DEFAULT_PLAN: 'gold',
    })
    expect(ending).toMatchObject({ code: 1, stdout: '' })
    const [heading, ...mistakes] = ending.stderr.trimEnd().split('\n')
    expect(heading).toBe('The settings need attention:')
    expect(mistakes.map((line) => /^ {2}- ([A-Z_]+): \S/.exec(line)?.[1]).sort()).toEqual([
      'BASE_URL',
      'DATABASE_URL',
      'DEFAULT_PLAN',
      'MAIL_FROM',
      'NODE_ENV',
      'PORT',
      'SECRET_KEY',
      'SMTP_URL',
    ])
  })

  test('are named together with those that only production asks for', async () => {
    const ending = await runServer({ NODE_ENV: 'production', PORT: 'eighty' })
    expect(ending.code).toBe(1)
    for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL', 'SECRET_KEY', 'SMTP_URL']) {
      expect(ending.stderr).toContain(`  - ${name}: `)
    }
  })

  test('never open anything but loopback outside production', async () => {
    const ending = await runServer({ HOST: '0.0.0.0' })
    expect(ending.code).toBe(1)
    expect(ending.stderr).toContain('listening on 0.0.0.0 needs NODE_ENV=production')
  })
})

describe('a data directory that a process has open', () => {
  let practice: PracticeFolder
  let server: ServerProcess

  beforeAll(async () => {
    practice = await makePracticeFolder()
    server = await startServer(practice.dataDir)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    await practice.remove()
  })

  test('is refused to a second one in a sentence, by whatever name, and the first one works on', async () => {
    const otherName = `${practice.dataDir}-link`
    await symlink(practice.dataDir, otherName)
    const endings = await Promise.all(
      [practice.dataDir, otherName].map((DATA_DIR) => runServer({ DATA_DIR, PORT: '0' })),
    )
    await rm(otherName)
    for (const ending of endings) {
      expect(ending).toMatchObject({ code: 1, stdout: '' })
      expect(ending.stderr).toMatch(
        /^Another Meridian process is using the data directory \S+\. Stop it first, or set DATA_DIR to another directory\.\n$/,
      )
    }
    const page = await server.request(`/book/${practice.slug}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(practice.slug)])
  })

  test('is left alone when the port is taken, which is told in a sentence', async () => {
    expect((await server.end('SIGTERM')).code).toBe(0)
    const port = await findFreePort()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const ending = await runServer({ DATA_DIR: practice.dataDir, PORT: String(port), LOG_LEVEL: 'warn' })
    taken.close()
    expect(ending).toMatchObject({ code: 1, stdout: '' })
    expect(ending.stderr).toMatch(/^The port is in use\. .*\n$/)
  })
})

test('a first start makes the data directory, readable by its owner only, and is ready without a setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-first-'))
  const dataDir = join(folder, 'data')
  const server = await startServer(dataDir)
  printDuration('first start', server.readyAfterMs)
  expect((await server.request('/')).status).toBe(200)
  expect((await stat(dataDir)).mode & 0o077).toBe(0)
  expect((await server.end('SIGINT')).code).toBe(0)
  await rm(folder, { recursive: true })
})

test.each([
  { which: 'is not there', change: (url: URL) => Object.assign(url, { port: '9' }) },
  { which: 'refuses the password', change: (url: URL) => Object.assign(url, { password: 'wrong-secret' }) },
  { which: 'has no such database', change: (url: URL) => Object.assign(url, { pathname: '/nothing' }) },
])('a database server that $which is told in a sentence, and the process ends with 1', async ({ change }) => {
  const url = change(new URL(inject('postgresUrl')))
  const ending = await runServer({ DATABASE_URL: url.href, PORT: '0', LOG_LEVEL: 'warn' })
  expect(ending).toMatchObject({ code: 1, stdout: '' })
  expect(ending.stderr).toMatch(
    /^The database could not be opened \(.+\)\. Check DATABASE_URL, and that the server is running\.\n$/,
  )
  expect(ending.stderr).not.toContain(url.password)
})
