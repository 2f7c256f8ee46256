import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#tests/support/free-port.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { NPM_START, nodeFlagsOf } from '#tests/support/npm-start.ts'

/** The product as `npm start` runs it, with demo data in a folder that is removed at the end. */
export type Product = {
  /** Where it listens, which is its own address unless the settings say otherwise. */
  readonly url: string
  /**
   * Stops it as an operator would, by SIGTERM.
   * @throws Error with its output when it had ended before, or did not end well
   */
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
/** The first start builds the web part and migrates, on two busy cores. */
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000
const KEPT_OUTPUT = 20_000

/** Starts the product on a free loopback port and waits until it is ready. `env` has the settings that differ, perhaps a port. */
export async function startProduct(
  script = NPM_START.program,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-journeys-'))
  const port = env.PORT === undefined ? await findFreePort() : Number(env.PORT)
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, [...nodeFlagsOf(script), script], {
    cwd: ROOT,
    // As if npm had started it: then it ends with the journeys, also when these are killed.
    env: { ...process.env, npm_lifecycle_event: 'start', ...settings(dataDir, port, url), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = keepOutput(child)
  // Playwright may end without its teardown, and the product would run on.
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
    // All journeys come from one address; throttling has tests of its own.
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    BUDGETS: GENEROUS_BUDGETS,
    // Nobody comes back for a journey on a busy machine.
    OVERLOAD_DELAY_MS: '0',
    // An empty setting counts as absent: the journeys use the embedded database and the mailbox.
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
