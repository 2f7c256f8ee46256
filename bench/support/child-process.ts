import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '#tests/support/free-port.ts'
import { nodeFlagsOf } from '#tests/support/npm-start.ts'
import { type ResidentMemory, readResidentMemory } from '#tests/support/resident-memory.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 180_000

/** A program that listens on loopback in its own process. */
export type ServerProgram = {
  readonly port: number
  /** CPU time so far, user and system. */
  readonly cpuMs: () => Promise<number>
  readonly memory: () => Promise<ResidentMemory>
  readonly stop: () => Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** Starts a program, and waits until `readyPath` responds successfully. Discards the program's standard output. */
export async function startServerProgram(
  program: string,
  settings: Settings,
  { readyPath = '/readyz', flags = [] }: { readyPath?: string; flags?: readonly string[] } = {},
): Promise<ServerProgram> {
  const port = await findFreePort()
  const env = { PATH: process.env.PATH, ...settings, PORT: String(port) }
  const child = spawn(process.execPath, [...nodeFlagsOf(program), ...flags, join(ROOT, program)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const endWithParent = () => child.kill('SIGKILL')
  process.on('exit', endWithParent)
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const beginMs = performance.now()
  while (!(await isReady(`http://127.0.0.1:${port}${readyPath}`))) {
    if (child.exitCode !== null || performance.now() - beginMs > START_TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start`)
    }
    await pause(50)
  }
  return {
    port,
    cpuMs: () => readCpuMs(child),
    memory: () => readResidentMemory(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', endWithParent)
    },
  }
}

/** Runs a program with `input` as JSON on its standard input, and parses its JSON output. */
export async function runForJson<Output>(program: string, input: object): Promise<Output> {
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  child.stdin.end(JSON.stringify(input))
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) output += text
  const code = await ended
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
  return JSON.parse(output) // the program's output
}

/** Reads standard input to its end, in a program started by `runForJson`. */
export async function readJsonInput<Input>(): Promise<Input> {
  let input = ''
  for await (const text of process.stdin.setEncoding('utf8')) input += text
  return JSON.parse(input) // the input of `runForJson`
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Reads a process's CPU time from proc_pid_stat(5), fields 14 and 15, in ticks of 10 ms; NaN outside Linux. */
async function readCpuMs({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
