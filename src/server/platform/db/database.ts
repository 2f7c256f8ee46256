import { mkdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { cachePreparedStatements } from './prepared-statement.ts'
import type { Schema } from './schema.ts'
import { sendBeginWithFirstStatement } from './send-begin-with-first-statement.ts'
import { compilePGlite } from './unoptimized-parser.ts'

export type Db = Kysely<Schema>

/** How long a server may stay silent beyond its statement timeout before the connection is closed, in milliseconds. */
const SILENCE_MARGIN_MS = 1_000
/**
 * How long an idle connection to a server is kept, in milliseconds. A new connection must plan each statement again,
 * which takes longer than a booking. It is shorter than the 240 s after which some networks drop silent connections.
 */
const IDLE_MS = 120_000
/** TCP keep-alive delay in milliseconds, used to detect connections whose other end is gone. */
const KEEP_ALIVE_MS = 30_000

/**
 * Page cache of the embedded database (shared_buffers). The operating system caches the rest and frees that memory when
 * needed. PostgreSQL's default of 128 MB does not fit a server with 1 GB (decision 21).
 */
const PAGE_CACHE = '32MB'

/**
 * Planner cost of reading a random page relative to a sequential one. The default, 4, assumes spinning disks; our data
 * is in memory or on SSDs. With the default, the planner scans small tables although an index exists.
 */
const PAGE_COST = ['-c', 'random_page_cost=1.1']

/**
 * Connection option for the isolation level READ COMMITTED: a statement that waited for a lock sees rows committed
 * meanwhile. Use cases rely on it when they lock a row and decide with a second statement. It is PostgreSQL's default,
 * but an operator can configure a different level.
 */
const ISOLATION = String.raw`-c default_transaction_isolation=read\ committed`

/**
 * Checkpoint interval of the embedded database in milliseconds; the value is the default of a PostgreSQL server. PGlite
 * has no background process for checkpoints, so the product runs them. Without checkpoints the write-ahead log would
 * grow until shutdown, and recovery after a crash would replay all of it.
 */
const CHECKPOINT_MS = 5 * MINUTE_MS

export type Database = {
  readonly kind: 'embedded' | 'server'
  readonly db: Db
  /**
   * Runs one statement on its own connection. Never call it inside a transaction: the embedded database has a single
   * connection, so waiting for a second one would deadlock.
   */
  readonly execute: (
    text: string,
    values?: readonly unknown[],
  ) => Promise<{ rows: Record<string, unknown>[] }>
  /**
   * Runs `work` while no statement runs and the files of the embedded database are up to date, so that they can be
   * copied. All others wait meanwhile.
   * @throws Error on a database server, which cannot be paused
   */
  readonly pause: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly close: () => Promise<void>
}

/** The embedded database's files cannot be opened. */
export class EmbeddedDatabaseError extends Error {
  constructor(dataDir: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `The database could not be opened (${reason}). Check that the disk of ${dataDir} has room, and that its files may be written.`,
      { cause },
    )
    this.name = 'EmbeddedDatabaseError'
  }
}

export type DatabaseOptions = {
  /** URL of a PostgreSQL server. If absent, the embedded database in `dataDir` is used. */
  readonly url?: string | undefined
  /** Folder of the embedded database. `memory://` keeps the database in memory, for tests and tools. */
  readonly dataDir: string
  /** An embedded database that is already running, for tests. The caller closes it. */
  readonly running?: PGlite
  readonly poolSize: number
  /** Maximum wait for a connection and, with a server, for a statement, in milliseconds. */
  readonly timeoutMs?: number
  /** Removes the statement timeout, for migrations of large tables. */
  readonly patient?: boolean
  /** Receives errors of idle connections; the pool replaces these connections automatically. */
  readonly onError?: (error: Error) => void
  /** Called when the embedded database has shut down because its disk is full; no later query gets a response. */
  readonly onPanic?: (error: Error) => void
}

/**
 * Opens PostgreSQL at `url`, or the embedded database.
 * @throws DataDirInUseError when another process has the embedded database open
 * @throws EmbeddedDatabaseError when the embedded database cannot be opened, for example because the disk is full
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined ? openEmbedded(options) : openServer(options, options.url)
}

function openServer(options: DatabaseOptions, url: string): Database {
  const timeoutMs = options.timeoutMs ?? 5_000
  const limits = {
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: 30_000,
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'meridian',
    options: [...PAGE_COST, ISOLATION].join(' '),
    // `sendBeginWithFirstStatement` requires pipeline mode.
    pipeline: true,
    ...(options.patient === true ? {} : limits),
  })
  pool.on('error', options.onError ?? (() => {}))
  if (options.patient !== true) giveUpOnSilence(pool, timeoutMs + SILENCE_MARGIN_MS)
  return onPool('server', pool, () => pool.end())
}

/**
 * Closes a busy connection after `silenceMs` without a response. The server's statement timeout ends statements
 * earlier, unless the server vanished (a frozen machine, a cut network).
 */
function giveUpOnSilence(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    socket.on('timeout', () => socket.destroy(new Error('Connection terminated: no answer')))
  })
  pool.on('acquire', (client) => void socketOf(client).setTimeout(silenceMs))
  pool.on('release', (_error, client) => void socketOf(client).setTimeout(0))
}

/** Returns the connection's socket, which the library's types do not expose. */
function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/**
 * Starts the embedded database. `folder` contains the database files, or is `memory://`, which can start from
 * `contents`, a tar archive of another database.
 */
export async function startPGlite(folder: string, contents?: Blob): Promise<PGlite> {
  // Imported here and nowhere else, so that an installation with a database server never loads the 40 MB of the
  // embedded database.
  const [{ PGlite }, { btree_gist }, { pg_trgm }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/btree_gist'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ])
  return PGlite.create({
    dataDir: folder,
    extensions: { btree_gist, pg_trgm },
    pgliteWasmModule: await compilePGlite(),
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${PAGE_CACHE}`, ...PAGE_COST],
    ...(contents === undefined ? {} : { loadDataDir: contents }),
  })
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  if (options.running !== undefined) return connectTo(options.running, options, async () => {})
  const inMemory = options.dataDir === 'memory://'
  const lock = inMemory ? null : lockDataDir(options.dataDir)
  const folder = inMemory ? options.dataDir : join(options.dataDir, 'pgdata')
  if (!inMemory) await mkdir(folder, { recursive: true, mode: 0o700 })
  const pglite = await startPGlite(folder).catch((error: unknown) => {
    lock?.release()
    throw new EmbeddedDatabaseError(options.dataDir, error)
  })
  return connectTo(pglite, options, async () => {
    await pglite.close()
    lock?.release()
  })
}

async function connectTo(
  pglite: PGlite,
  options: DatabaseOptions,
  close: () => Promise<void>,
): Promise<Database> {
  const { createPgConfig } = await import('@electric-sql/pglite/node-postgres')
  const config = createPgConfig(pglite)
  // A PostgreSQL server would restart after a PANIC. PGlite does not: every query would wait forever, and so would
  // closing.
  config.connection.on('errorMessage', (error: pg.DatabaseError) => {
    if (error.severity === 'PANIC') options.onPanic?.(error)
  })
  const pool = new pg.Pool({
    ...config,
    max: 1,
    // Keep the single connection open: reconnecting takes time and changes nothing.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: options.timeoutMs ?? 30_000,
  })
  pool.on('error', options.onError ?? (() => {}))
  const database = onPool('embedded', pool, async () => {
    clearInterval(timer)
    await pool.end()
    await close()
  })
  const checkpoint = () => database.execute('checkpoint').catch(options.onError)
  const timer = setInterval(checkpoint, CHECKPOINT_MS).unref()
  return database
}

function onPool(kind: Database['kind'], pool: pg.Pool, close: () => Promise<void>): Database {
  let closing: Promise<void> | undefined
  // The pool handles only the errors of idle connections. Without this listener, an error of a busy connection would
  // end the process with an unhandled 'error' event; the failing statement reports the error.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    cachePreparedStatements(client)
    if (kind === 'server') sendBeginWithFirstStatement(client)
  })
  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    try {
      return await work(client)
    } catch (error) {
      // Roll back after an error: otherwise the embedded connection stays out of sync, and releasing it with the
      // error would destroy the only connection.
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      client.release()
    }
  }
  return {
    kind,
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    // node-postgres wants a mutable array, but does not modify it.
    execute: (text, values) => withClient((client) => client.query(text, values as unknown[])),
    async pause(work) {
      if (kind === 'server') throw new Error('a database server cannot be paused')
      // The embedded database has a single connection, and writes only while it answers.
      return withClient(async (client) => {
        await client.query('checkpoint')
        return await work()
      })
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
