import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'
import { openDatabase } from './database.ts'

let dataDir: string
const holders: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'meridian-lock-'))
})
afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

const IN_USE = (dir: string) =>
  `Another Meridian process is using the data directory ${dir}. Stop it first, or set DATA_DIR to another directory.`

test('a second process is refused with a sentence while the first one lives, and let in when it was killed', async () => {
  const holder = await holdInOtherProcess()
  expect(() => lockDataDir(dataDir)).toThrow(IN_USE(dataDir))
  await expect(openDatabase({ dataDir, poolSize: 1 })).rejects.toThrow(IN_USE(dataDir))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockDataDir(dataDir).release()
})

test('a second time in the same process is refused, and after a release it is free', () => {
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(IN_USE(dataDir))
  lock.release()
  lockDataDir(dataDir).release()
})

test('a directory that is not there is made, for its owner only', () => {
  const fresh = join(dataDir, 'a/b')
  lockDataDir(fresh).release()
  expect(() => lockDataDir(join(dataDir, 'lock/b'))).not.toThrow()
})

/** Starts a process that holds the lock until it is killed. */
async function holdInOtherProcess(): Promise<ChildProcess> {
  const file = join(import.meta.dirname, 'data-dir-lock.ts')
  const script = `
    import { lockDataDir } from ${JSON.stringify(file)}
    globalThis.lock = lockDataDir(${JSON.stringify(dataDir)})
    console.log('locked')
    setInterval(() => {}, 1_000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  holders.push(holder)
  const output: string[] = []
  for (const stream of [holder.stdout, holder.stderr]) stream.on('data', (text) => output.push(String(text)))
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])
  expect(output.join('')).toBe('locked\n')
  return holder
}
