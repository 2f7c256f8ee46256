import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WEB_DIR } from '#server/app/start-server.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { findFreePort } from './free-port.ts'
import { GENEROUS_BUDGETS } from './generous-budgets.ts'
import { nodeFlagsOf } from './npm-start.ts'
import { type ResidentMemory, readResidentMemory } from './resident-memory.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAIN = 'src/server/main.ts'
const START_TIMEOUT_MS = 240_000

type Settings = Readonly<Record<string, string>>

/** How a process ended, and its output. */
export type ProcessExit = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Meridian as a separate process that listens on loopback. */
export type ServerProcess = {
  readonly port: number
  /** Milliseconds from the start until the process reported that it is ready. */
  readonly readyAfterMs: number
  /** CPU time until the process was ready, on all cores; null where the system does not report it (outside Linux). */
  readonly readyAfterCpuMs: number | null
  readonly memory: () => Promise<ResidentMemory>
  readonly request: (path: string, init?: RequestInit) => Promise<Response>
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessExit>
  /** Sends a signal, and waits until the process has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<ProcessExit & { readonly durationMs: number }>
}

/** Meridian as a process that does not listen. */
export type WorkerProcess = Pick<ServerProcess, 'end'>

/**
 * Starts `node src/server/main.ts`, or another entry, with these settings, ROLE=worker and generous rate limits. Does not wait
 * until it is ready.
 */
export function startWorker(settings: Settings, entry = MAIN): WorkerProcess {
  return { end: endOf(launch({ BUDGETS: GENEROUS_BUDGETS, ...settings, ROLE: 'worker' }, entry)) }
}

/** Runs `node src/server/main.ts` with only these settings until it ends. */
export function runServer(settings: Settings): Promise<ProcessExit> {
  return launch(settings).ending
}

/** Starts `node src/server/main.ts`, or another entry, on the embedded database in `dataDir`, and waits until it is ready. */
export async function startServer(
  dataDir: string,
  settings: Settings = {},
  entry = MAIN,
): Promise<ServerProcess> {
  // Tests with a server process need some web build; its content does not matter.
  if (!existsSync(join(WEB_DIR, 'app/index.html'))) await ensureWebBuild()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const startMs = performance.now()
  const launched = launch(
    {
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: url,
      PUBLIC_REQUESTS_PER_MINUTE: '1000000',
      BUDGETS: GENEROUS_BUDGETS,
      // Switches overload protection off, because other tests keep the machine busy.
      OVERLOAD_DELAY_MS: '0',
      ...settings,
    },
    entry,
  )
  const { child, ending } = launched
  let ended: ProcessExit | null = null
  ending.then((how) => {
    ended = how
  })
  while (!(await isReady(url))) {
    if (ended !== null || performance.now() - startMs > START_TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error(`the server did not start: ${JSON.stringify(await ending)}`)
    }
    await pause(10)
  }
  return {
    port,
    readyAfterMs: performance.now() - startMs,
    readyAfterCpuMs: child.pid === undefined ? null : await findCpuMs(child.pid),
    memory: () => readResidentMemory(child.pid),
    request: (path, init) => fetch(`${url}${path}`, init),
    ended: ending,
    end: endOf(launched),
  }
}

type Launched = { readonly child: ChildProcess; readonly ending: Promise<ProcessExit> }

function endOf({ child, ending }: Launched): ServerProcess['end'] {
  return async (signal) => {
    const endMs = performance.now()
    child.kill(signal)
    return { ...(await ending), durationMs: performance.now() - endMs }
  }
}

function launch(settings: Settings, entry = MAIN): Launched {
  const child = spawn(process.execPath, [...nodeFlagsOf(entry), join(ROOT, entry)], {
    cwd: ROOT,
    // Pretends that npm started the process: it then ends with the tests, also when they are killed.
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  }
  // Ends the process when a test fails before stopping it.
  const endWithTests = () => child.kill('SIGKILL')
  process.on('exit', endWithTests)
  const ending = new Promise<ProcessExit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('exit', endWithTests)
      resolve({ code, signal, ...said })
    })
  })
  return { child, ending }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

/** CPU time of a process so far, user and system (proc_pid_stat(5), fields 14 and 15, in ticks of 10 ms). */
async function findCpuMs(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The second field is the process name in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
