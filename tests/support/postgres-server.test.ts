// @module-tag slow
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { retryUntilPasses } from './eventually.ts'
import { createDatabase, type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

test('the server is PostgreSQL 18 in UTF-8, safe on disk, with room for many sessions', async () => {
  const [row] = await rows(
    server.url,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
            current_setting('max_connections') as sessions, current_setting('fsync') as fsync`,
  )
  expect(row).toEqual({ version: 18, encoding: 'UTF8', sessions: '200', fsync: 'on' })
})

test('each database starts empty and takes the extension that exclusion constraints need', async () => {
  const [one, other] = [await createDatabase(server.url), await createDatabase(server.url)]
  await rows(one, 'create extension btree_gist')
  await rows(one, 'create table mine ()')
  expect(await rows(other, `select to_regclass('mine') as mine`)).toEqual([{ mine: null }])
})

test('a stopped server refuses, and comes back with its data at the same address', async () => {
  const url = await createDatabase(server.url)
  await rows(url, 'create table kept as select 42 as answer')
  await server.stop()
  await expect(rows(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  await server.start()
  expect(await rows(url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a removed server leaves neither a listener nor a file', async () => {
  const brief = await startPostgres()
  const [row] = await rows(brief.url, `select current_setting('data_directory') as folder`)
  expect(existsSync(String(row?.folder))).toBe(true)
  await brief.remove()
  expect(existsSync(String(row?.folder))).toBe(false)
  await expect(rows(brief.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test.skipIf(process.platform === 'win32')(
  'a server ends with whoever started it, also when that is killed',
  async () => {
    const script = `
    const { startPostgres } = await import('./tests/support/postgres-server.ts')
    console.log((await startPostgres()).url)`
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) =>
      starter.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim())),
    )
    const [row] = await rows(url, `select current_setting('data_directory') as folder`)
    starter.kill('SIGKILL')
    await retryUntilPasses(() => expect(rows(url, 'select 1')).rejects.toThrow('ECONNREFUSED'))
    await retryUntilPasses(() => expect(existsSync(String(row?.folder))).toBe(false))
  },
)

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  // When the server ends between two queries, the client emits an error event, which would end this process. A query itself is
  // rejected.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end().catch(() => {})
  }
}
