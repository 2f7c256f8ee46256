// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from '#server/platform/db/data-dir-lock.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { printDuration } from '#tests/support/race-track.ts'
import { ensureWebBuild } from '#tools/web-build.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_LIMIT_MS = 100_000
/** Maximum duration of a stop, in milliseconds: what a container has between SIGTERM and SIGKILL. */
const STOP_LIMIT_MS = 10_000
/** Longer than Meridian takes to notice that npm has ended, in milliseconds. */
const UNNOTICED_MS = 3_000

/** One data directory for all tests: each starts on the directory that the previous test has released. */
let dataDir: string
let port: number
let started: ChildProcess | undefined

beforeAll(async () => {
  await ensureWebBuild()
  dataDir = await mkdtemp(join(tmpdir(), 'meridian-npm-'))
})
afterAll(() => rm(dataDir, { recursive: true }))
beforeEach(async () => {
  port = await findFreePort()
})
afterEach(() => {
  // Kills the whole process group, because a process that failed to end still belongs to it.
  try {
    if (started?.pid !== undefined) process.kill(-started.pid, 'SIGKILL')
  } catch {
    // Every process of the group has already ended.
  }
})

test('a product that is still starting ends with npm', async () => {
  started = run('exec npm start')
  // Meridian then creates its database, which takes a while.
  await waitFor(START_LIMIT_MS, async () => existsSync(join(dataDir, 'pgdata')))
  started.kill('SIGTERM')
  await expectEnd()
})

test.each(['npm start', 'npm run dev', 'npx --no node src/server/main.ts'])(
  'after SIGTERM to `%s` the product ends and gives its data directory back',
  async (command) => {
    started = run(`exec ${command}`)
    await waitUntilReady()
    started.kill('SIGTERM')
    await expectEnd()
  },
)

test('with `nohup npm start &` the product outlives the shell that it was typed into, and ends with npm', async () => {
  started = run('nohup npm start >/dev/null 2>&1 & echo $!')
  const npmPid = Number(await readOutput(started))
  await waitUntilReady()
  expect(started.exitCode).toBe(0)
  await pause(UNNOTICED_MS)
  expect(await isReady()).toBe(true)
  process.kill(npmPid, 'SIGTERM')
  await expectEnd()
})

test('Node that was started without npm is nobody’s to end but by a signal', async () => {
  started = run('node src/server/main.ts >/dev/null 2>&1 & echo $!')
  await waitUntilReady()
  await pause(UNNOTICED_MS)
  expect(await isReady()).toBe(true)
})

/**
 * Runs a command without the variables that npm has set for the tests themselves, in a new process group that can be killed as a
 * whole.
 */
function run(command: string): ChildProcess {
  return spawn(command, {
    cwd: ROOT,
    shell: true,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO: 'false',
      OVERLOAD_DELAY_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

async function expectEnd(): Promise<void> {
  const startMs = performance.now()
  await waitFor(STOP_LIMIT_MS, async () => !(await isReady()) && !isInUse())
  printDuration('the product ended after npm', performance.now() - startMs)
}

function waitUntilReady(): Promise<void> {
  return waitFor(START_LIMIT_MS, isReady)
}

async function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function isInUse(): boolean {
  try {
    lockDataDir(dataDir).release()
    return false
  } catch {
    return true
  }
}

async function waitFor(limitMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + limitMs; !(await isSo()); await pause(50)) {
    if (performance.now() > endMs) throw new Error(`waited ${limitMs} ms in vain`)
  }
}

function readOutput({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => stdout?.setEncoding('utf8').once('data', resolve))
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
