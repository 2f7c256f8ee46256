import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#tests/support/free-port.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { NPM_START, nodeFlagsOf } from '#tests/support/npm-start.ts'

/** A running server, started as by `npm start`, with demo data in a folder that is removed at the end. */
export type RunningServer = {
  /** The URL on which Meridian listens. This is also its public URL unless the settings say otherwise. */
  readonly url: string
  /**
   * Stops Meridian by SIGTERM, as an operator would.
   * @throws Error with the output when Meridian had already ended, or exited with an error
   */
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
/**
 * How long a start and a stop may take, in ms. The first start builds the web part and migrates the database on two busy cores.
 */
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000
const KEPT_OUTPUT = 20_000

/** Starts Meridian on a free loopback port and waits until it is ready. `env` overrides settings, including the port. */
export async function startServer(
  script = NPM_START.program,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-journeys-'))
  const port = env.PORT === undefined ? await findFreePort() : Number(env.PORT)
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, [...nodeFlagsOf(script), script], {
    cwd: ROOT,
    // Set as npm does: Meridian then ends together with the journeys, even if they are killed.
    env: { ...process.env, npm_lifecycle_event: 'start', ...settings(dataDir, port, url), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = keepOutput(child)
  // Playwright may exit without running its teardown, and Meridian would keep running.
  const endWithProcess = () => child.kill('SIGKILL')
  process.on('exit', endWithProcess)

  async function stop(): Promise<void> {
    const endedBefore = hasEnded(child)
    await end(child)
    process.off('exit', endWithProcess)
    await rm(dataDir, { recursive: true, force: true })
    if (endedBefore)
      throw new Error(`The product ended during the journeys (${howItEnded(child)}):\n${output()}`)
    if (child.exitCode !== 0)
      throw new Error(`The product did not stop well (${howItEnded(child)}):\n${output()}`)
  }

  try {
    await waitUntilReady(child, url)
  } catch (error) {
    await stop().catch(() => {})
    throw new Error(`The product did not start (${howItEnded(child)}):\n${output()}`, { cause: error })
  }
  return { url, stop }
}

function settings(dataDir: string, port: number, url: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: 'warn',
    // All journeys come from one IP address, so turn throttling off here. Other tests cover it.
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    BUDGETS: GENEROUS_BUDGETS,
    // Journeys do not retry when a busy machine refuses a request, so turn the overload protection off.
    OVERLOAD_DELAY_MS: '0',
    // An empty setting counts as absent, so the journeys use the embedded database and the sandbox mailbox.
    DATABASE_URL: '',
    SMTP_URL: '',
  }
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  let failure: Error | null = null
  child.on('error', (error) => {
    failure = error
  })
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await isReady(url))) {
    if (failure !== null) throw failure
    if (hasEnded(child)) throw new Error('it ended before it was ready')
    if (performance.now() > deadline) throw new Error(`it was not ready after ${START_TIMEOUT_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
    return response.ok
  } catch {
    return false
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(killer)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function howItEnded(child: ChildProcess): string {
  if (child.exitCode !== null) return `exit code ${child.exitCode}`
  return child.signalCode ?? 'still running'
}

function keepOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-KEPT_OUTPUT)
    })
  }
  return () => output
}
