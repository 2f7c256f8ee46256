import { mkdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { usePreparedStatements } from './prepared-statement.ts'
import type { Schema } from './schema.ts'
import { sendBeginWithFirstStatement } from './send-begin-with-first-statement.ts'
import { compilePGlite } from './unoptimized-parser.ts'

export type Db = Kysely<Schema>

/**
 * How much longer than its slowest statement a server may be silent before the connection is given up, in milliseconds.
 */
const SILENCE_MARGIN_MS = 1_000
/**
 * How long an unused connection to a server is kept, in milliseconds. A new connection has to plan each statement
 * again, which takes longer than a booking. Shorter than the time after which some networks drop a silent connection
 * (240 s).
 */
const IDLE_MS = 120_000
/** How soon the system checks whether a silent connection still has somebody at its other end. */
const KEEP_ALIVE_MS = 30_000

/**
 * How much of its files the embedded database keeps in its own memory. The operating system keeps the rest, and gives it back
 * to who needs it. PostgreSQL's default of 128 MB does not fit a server with 1 GB (decision 21).
 */
const PAGE_CACHE = '32MB'

/**
 * How much more PostgreSQL's planner expects a page at a random place to cost than the next page of a table. The default, 4, is meant for
 * spinning disks. The product's data is in memory or on a solid-state disk. With the default, the planner reads small tables whole
 * although an index leads to the row.
 */
const PAGE_COST = ['-c', 'random_page_cost=1.1']

/**
 * A statement that waited for a lock sees what others have written meanwhile. Use cases rely on that when they lock a row and decide
 * with a second statement. This isolation level is PostgreSQL's default, and the operator of a server can choose another one.
 */
const ISOLATION = String.raw`-c default_transaction_isolation=read\ committed`

/**
 * How often the embedded database makes a checkpoint, in milliseconds; the default of a PostgreSQL server. PGlite has no process that
 * makes them. Without checkpoints the write-ahead log would grow until the next stop, and recovery after a crash would read all of it.
 */
const CHECKPOINT_MS = 5 * MINUTE_MS

export type Database = {
  readonly kind: 'embedded' | 'server'
  readonly db: Db
  /**
   * Runs one statement on a connection of its own. Never use it inside a transaction: the embedded database has a
   * single connection, and waiting for a second one would stop everything.
   */
  readonly execute: (
    text: string,
    values?: readonly unknown[],
  ) => Promise<{ rows: Record<string, unknown>[] }>
  readonly close: () => Promise<void>
}

/** The files of the embedded database cannot be opened. */
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
  /** Absent: the embedded database in `dataDir`. */
  readonly url?: string | undefined
  /** `memory://` keeps it in memory, for tests and tools. */
  readonly dataDir: string
  /** The embedded database that runs already, for tests. Whoever started it closes it. */
  readonly running?: PGlite
  readonly poolSize: number
  /** Longest wait for a connection, and on a server for a statement, in milliseconds. */
  readonly timeoutMs?: number
  /** Removes the time limit of statements, for migrations of large tables. */
  readonly patient?: boolean
  /** Errors of idle connections; the pool replaces them by itself. */
  readonly onError?: (error: Error) => void
  /** The embedded database has ended itself for want of room on its disk: nothing will be answered any more. */
  readonly onPanic?: (error: Error) => void
}

/**
 * Opens the database: PostgreSQL at `url`, or the embedded one.
 * @throws DataDirInUseError when another process has the embedded database open
 * @throws EmbeddedDatabaseError when there is no room for it, say
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
    // For `sendBeginWithFirstStatement`.
    pipeline: true,
    ...(options.patient === true ? {} : limits),
  })
  pool.on('error', options.onError ?? (() => {}))
  if (options.patient !== true) giveUpOnSilence(pool, timeoutMs + SILENCE_MARGIN_MS)
  return onPool('server', pool, () => pool.end())
}

/**
 * Ends a busy connection when nothing is heard for this long. The server itself ends a statement before that, unless it
 * vanished without a word (a frozen machine, a cut network); then waiting would be in vain.
 */
function giveUpOnSilence(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    socket.on('timeout', () => socket.destroy(new Error('Connection terminated: no answer')))
  })
  pool.on('acquire', (client) => void socketOf(client).setTimeout(silenceMs))
  pool.on('release', (_error, client) => void socketOf(client).setTimeout(0))
}

/** The connection's socket, which is not in the library's types. */
function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** `folder` is where its files are, or `memory://`; there it can begin with the `contents` of another one, as a tar file. */
export async function startPGlite(folder: string, contents?: Blob): Promise<PGlite> {
  // Loaded only here, so that with a server the 40 MB of the embedded database are never read.
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
  // A server would restart by itself. Here everybody who asks would wait for ever, also whoever wants to close it.
  config.connection.on('errorMessage', (error: pg.DatabaseError) => {
    if (error.severity === 'PANIC') options.onPanic?.(error)
  })
  const pool = new pg.Pool({
    ...config,
    max: 1,
    // The one connection never becomes idle for good: reconnecting costs time and changes nothing.
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
  // The pool listens to idle connections only. One that breaks while it is used would end the process by an unhandled
  // 'error' event; its user learns of it from the failing statement.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    usePreparedStatements(client)
    if (kind === 'server') sendBeginWithFirstStatement(client)
  })
  return {
    kind,
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    async execute(text, values) {
      const client = await pool.connect()
      try {
        // node-postgres wants a mutable array; nothing here writes to it.
        return await client.query(text, values as unknown[])
      } catch (error) {
        // An error leaves the embedded connection out of step unless it is brought back to idle, and releasing with the
        // error would destroy the only connection there is.
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
