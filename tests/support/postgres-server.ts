import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { killChildOnExit } from './end-together.ts'
import { findFreePort } from './free-port.ts'
import {
  findUnprivilegedUser,
  initialiseCluster,
  installPostgresIn,
  type PostgresPrograms,
  type UnprivilegedUser,
} from './postgres-installation.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can extend Vitest's own interface
  interface ProvidedContext {
    /** URL of a PostgreSQL server on which tests create their own databases. */
    postgresUrl: string
  }
}

/** A separate PostgreSQL server for a test, on loopback, with its data in a temporary folder. */
export type PostgresServer = {
  readonly url: string
  /** Ends every connection and the server; the data stays. */
  stop(): Promise<void>
  /** Starts the server again after `stop`, on the same port and data. */
  start(): Promise<void>
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

/** Provides `postgresUrl` to the tests of a Vitest project: TEST_DATABASE_URL, or a server that runs until the tests end. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return undefined
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.remove
}

/**
 * Creates an empty database with a unique name on the server at `url`, and returns the database's URL. The database disappears
 * with the server; on the server of TEST_DATABASE_URL it stays.
 */
export async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
  } finally {
    await client.end()
  }
  const database = new URL(url)
  database.pathname = `/${name}`
  return database.href
}

/** Starts a PostgreSQL 18 server on a free loopback port, with its data below `parent`. Takes about a second. */
export async function startPostgres(parent = tmpdir()): Promise<PostgresServer> {
  const folder = await mkdtemp(join(parent, 'meridian-postgres-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const user = await findUnprivilegedUser()
    const installation = await installPostgresIn(folder, user)
    const dataDir = join(folder, 'data')
    const password = randomBytes(16).toString('hex')
    await initialiseCluster({ installation, dataDir, password, folder, user })

    const port = await findFreePort()
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return await run({ installation, dataDir, port, url, user, folder, removeFolder })
  } catch (error) {
    removeFolder()
    throw error
  }
}

type RunOptions = {
  readonly installation: PostgresPrograms
  readonly dataDir: string
  readonly port: number
  readonly url: string
  readonly user: UnprivilegedUser | null
  readonly folder: string
  readonly removeFolder: () => void
}

async function run({
  installation,
  dataDir,
  port,
  url,
  user,
  folder,
  removeFolder,
}: RunOptions): Promise<PostgresServer> {
  let server: ChildProcess | null = null
  let release = () => {}
  // Vitest may end without running its teardown, and the server would then run forever.
  const endWithProcess = () => {
    server?.kill('SIGQUIT')
    removeFolder()
  }

  async function start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      fsync: 'on',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const started = spawn(installation.postgres, ['-D', dataDir, '-p', String(port), ...flags], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    // Covers the case that Vitest is killed, when no exit handler runs.
    if (started.pid !== undefined) release = killChildOnExit(started.pid, { signal: 'SIGQUIT', folder })
    await waitUntilReady(started, url)
  }

  async function stop(): Promise<void> {
    const stopping = server
    server = null
    if (stopping !== null) await end(stopping)
    release()
  }

  async function remove(): Promise<void> {
    process.off('exit', endWithProcess)
    await stop()
    removeFolder()
  }

  process.on('exit', endWithProcess)
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return { url, stop, start, remove }
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  let output = ''
  let failure: Error | null = null
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-10_000)
  })
  server.on('error', (error) => {
    failure = error
  })
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await answers(url))) {
    if (failure !== null) throw failure
    if (server.exitCode !== null || performance.now() > deadline) {
      server.kill('SIGKILL')
      throw new Error(`PostgreSQL did not start:\n${output}`)
    }
    await pause(20)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  // When the server ends between connecting and closing, the client emits an error event, which would end this process.
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  // SIGINT is PostgreSQL's fast shutdown: it ends the sessions and writes a checkpoint.
  server.kill('SIGINT')
  const killer = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(killer)
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
