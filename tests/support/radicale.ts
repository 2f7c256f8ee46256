import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRadicale } from './find-radicale.ts'
import { findFreePort } from './free-port.ts'

/** radicale, a CalDAV server, on loopback with one account and nothing in it. */
export type Radicale = {
  readonly url: string
  readonly username: string
  readonly password: string
  /** Ends the server. What it has stored stays. */
  readonly goDown: () => Promise<void>
  /** Starts it again at the same address. */
  readonly comeBack: () => Promise<void>
  /** Ends it and removes what it has stored. */
  readonly stop: () => Promise<void>
}

/** Python needs seconds on a busy machine. */
const START_TIMEOUT_MS = 30_000

export async function startRadicale(): Promise<Radicale> {
  const program = findRadicale()
  const folder = await mkdtemp(join(tmpdir(), 'meridian-radicale-'))
  const port = await findFreePort()
  const account = { username: 'ada@example.com', password: 'the password of ada' }
  await writeFile(join(folder, 'users'), `${account.username}:${account.password}\n`)
  await writeFile(join(folder, 'config'), toConfig(folder, port))
  const url = `http://127.0.0.1:${port}/`
  const start = () => startServer({ program, config: join(folder, 'config'), url })
  let server = await start()
  return {
    url,
    ...account,
    goDown: () => server.stop(),
    async comeBack() {
      server = await start()
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}

type ServerStart = { readonly program: string; readonly config: string; readonly url: string }

/** Starts the program and waits until it answers. */
async function startServer({ program, config, url }: ServerStart): Promise<{ stop: () => Promise<void> }> {
  const child = spawn(program, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-10_000)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', (error) => {
    output += error.message
  })
  const endWithProcess = () => child.kill('SIGTERM')
  process.on('exit', endWithProcess)
  if (!(await waitForAnswer(child, url))) {
    child.kill('SIGKILL')
    throw new Error(`radicale did not start:\n${output}`)
  }
  return {
    async stop() {
      process.off('exit', endWithProcess)
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** False when the program ended or its time is over. */
async function waitForAnswer(child: ChildProcess, url: string): Promise<boolean> {
  const endMs = performance.now() + START_TIMEOUT_MS
  // Whatever it answers, it is there.
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (child.exitCode !== null || performance.now() > endMs) return false
    await sleep(50)
  }
  return true
}

function toConfig(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[web]
type = none
[logging]
level = warning
`
}
