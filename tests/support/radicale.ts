import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRadicale } from './find-radicale.ts'
import { findFreePort } from './free-port.ts'

/** A radicale server (CalDAV) on loopback, with one account and no events. */
export type Radicale = {
  readonly url: string
  readonly username: string
  readonly password: string
  /** Stops the server. Its data stays. */
  readonly goDown: () => Promise<void>
  /** Starts the server again at the same URL. */
  readonly comeBack: () => Promise<void>
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>
}

/** Maximum time for the server's start, in milliseconds. Python takes seconds to start on a busy machine. */
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

/** Starts the program and waits until it responds. */
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

/** Waits until the server responds. Returns false when the program ended or the time is up. */
async function waitForAnswer(child: ChildProcess, url: string): Promise<boolean> {
  const endMs = performance.now() + START_TIMEOUT_MS
  // Any response shows that the server is listening.
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
