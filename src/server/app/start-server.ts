import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '#server/platform/db/backup/backup-file.ts'
import { DataDirInUseError } from '#server/platform/db/data-dir-lock.ts'
import { EmbeddedDatabaseError } from '#server/platform/db/database.ts'
import { DatabaseVersionError } from '#server/platform/db/migrate.ts'
import { isDatabaseAccessDenied, isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { SecretKeyError } from '#server/platform/secrets/secret-keys.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { CommandError } from './commands/command-error.ts'
import { compose, type Meridian, type Substitutes } from './compose.ts'
import { type Config, ConfigError } from './config.ts'
import { DemoAccountError } from './demo-account.ts'
import { buildPageRenderer } from './page-renderer.ts'
import { buildPageTemplates, type PageTemplates } from './page-templates.ts'
import { registerAssets, registerPages } from './pages.ts'

/** Folder of the web build, relative to the checkout or image. */
export const WEB_DIR = join(import.meta.dirname, '../../../dist/web')

type ServeOptions = Substitutes & {
  /** Templates of pages that change while the server runs (development); defaults to the built pages. */
  readonly templates?: PageTemplates
  /** Runs before the server listens, for example to fill an empty database with demo data. */
  readonly beforeListening?: (meridian: Meridian) => Promise<void>
}

/**
 * Starts the product and listens. SIGTERM and SIGINT shut it down gracefully: running requests and emails are finished,
 * and queued jobs stay queued.
 */
export async function startServer(config: Config, options: ServeOptions = {}): Promise<Meridian> {
  if (
    options.templates === undefined &&
    config.ROLE !== 'worker' &&
    !existsSync(join(WEB_DIR, 'app/index.html'))
  ) {
    throw new Error(`There is no web build in ${WEB_DIR}. Run: npm run build`)
  }
  const meridian = await compose(config, {
    ...options,
    async extend(app, deps) {
      await options.extend?.(app, deps)
      if (config.ROLE === 'worker') return
      if (options.templates !== undefined)
        return registerPages(app, { ...deps, templates: options.templates })
      await registerAssets(app, WEB_DIR)
      registerPages(app, {
        ...deps,
        templates: buildPageTemplates(WEB_DIR),
        renderer: buildPageRenderer(WEB_DIR),
      })
    },
  })
  stopOnSignals(meridian)
  meridian.app.log.info(
    { version: packageJson.version, node: process.version, role: config.ROLE },
    'Meridian starts',
  )
  try {
    await options.beforeListening?.(meridian)
    if (config.ROLE !== 'worker') await meridian.app.listen({ host: config.HOST, port: config.PORT })
    if (config.ROLE !== 'worker' && config.ASK_PORT !== undefined) {
      await meridian.asks.listen({ host: config.ASK_HOST, port: config.ASK_PORT })
    }
    if (meridian.database.kind === 'embedded') await meridian.commands.listen()
    // Fetches the plan prices after startup, before the first visitor needs them.
    if (config.ROLE !== 'worker') meridian.deps.site()
    await meridian.startWorkers()
  } catch (error) {
    // Stop gracefully, because workers may already be sending; they finish before the process ends.
    await meridian.stop()
    throw error
  }
  return meridian
}

function stopOnSignals({ app, stop }: Meridian): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    app.log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (err) => {
        app.log.error({ err }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** Errors whose message is sufficient, so that no stack trace is printed. */
const EXPECTED = [
  ConfigError,
  DataDirInUseError,
  EmbeddedDatabaseError,
  DemoAccountError,
  BackupError,
  CommandError,
  DatabaseVersionError,
  SecretKeyError,
]

/** Starts the product. If that fails, prints the reason to standard error and exits with status 1. */
export async function startServerOrExit(start: () => Promise<unknown>): Promise<void> {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

function explain(error: unknown): string {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind)) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `The port is in use. Stop the other program, or choose another port: PORT=3001 npm start`
  }
  if (error instanceof Error && (isDatabaseUnavailable(error) || isDatabaseAccessDenied(error))) {
    return `The database could not be opened (${error.message}). Check DATABASE_URL, and that the server is running.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
