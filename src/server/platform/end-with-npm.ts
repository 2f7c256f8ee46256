import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { promisify } from 'node:util'

/** The value of `npm_lifecycle_event` for `npm start`, `npm run dev` and `npx node src/server/main.ts`. */
const COMMANDS = ['start', 'dev', 'npx']
/** The programs with which npm runs commands. */
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'ksh', 'zsh', 'cmd.exe', 'powershell.exe', 'pwsh.exe']
/** How often to check whether npm is still there, in milliseconds. */
const LOOK_MS = 500
/** How long an orderly stop may take when nobody is left who would end it by force, in milliseconds. */
const STOP_MS = 15_000

type Starter = { readonly parentPid: number; readonly npmPid: number }

/**
 * Ends this process in order soon after npm has ended, when npm started it.
 *
 * npm runs a command in a shell and passes its signals to that shell, which does not pass them on: after SIGTERM npm
 * and the shell are gone, and the product would run on and keep its data directory. After SIGKILL npm alone is gone,
 * and the shell waits. So both are watched by asking the system, which tells nobody of the end of a parent.
 *
 * Somebody who starts Node directly (systemd, a container, `nohup node … &`) decides how it ends: then nothing is
 * watched. `nohup npm start &` runs on, because npm does.
 */
export function endWithNpm(lifecycleEvent: string | undefined): void {
  if (lifecycleEvent === undefined || !COMMANDS.includes(lifecycleEvent)) return
  const parentPid = process.ppid
  // Until it is known better. This process may have replaced the shell.
  let starter: Starter = { parentPid, npmPid: parentPid }
  findNpm(parentPid).then((npmPid) => {
    starter = { parentPid, npmPid }
  })
  const timer = setInterval(() => {
    if (isThere(starter)) return
    clearInterval(timer)
    stopInOrder()
  }, LOOK_MS).unref()
}

/** Like SIGTERM, which Windows does not have. Before anybody listens to that, there is nothing to finish. */
function stopInOrder(): void {
  setTimeout(() => process.exit(1), STOP_MS).unref()
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
}

function isThere({ parentPid, npmPid }: Starter): boolean {
  if (process.ppid !== parentPid || !isRunning(parentPid)) return false
  if (npmPid === parentPid) return true
  // The end of npm shows at its shell at once, even while nobody has collected its exit.
  const parent = process.platform === 'linux' ? findOnLinux(parentPid) : null
  return parent === null ? isRunning(npmPid) : parent.parentPid === npmPid
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

type Process = { readonly name: string; readonly parentPid: number }

/** The parent, or where that is a shell, the parent of the shell. */
async function findNpm(parentPid: number): Promise<number> {
  const parent = await findProcess(parentPid).catch(() => null)
  return parent !== null && SHELLS.includes(parent.name) ? parent.parentPid : parentPid
}

async function findProcess(pid: number): Promise<Process | null> {
  if (process.platform === 'linux') return findOnLinux(pid)
  if (process.platform === 'win32') return findOnWindows(pid)
  return findByPs(pid)
}

/** Source: proc_pid_stat(5). The second field is the name in parentheses, which may hold any character. */
function findOnLinux(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const nameEnd = stat.lastIndexOf(')')
    const [, parentPid] = stat.slice(nameEnd + 2).split(' ')
    return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), parentPid: Number(parentPid) }
  } catch {
    return null
  }
}

/** On macOS and the BSDs. */
export async function findByPs(pid: number): Promise<Process | null> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,comm=', '-p', String(pid)])
  const [, parentPid, command] = /^\s*(\d+)\s+(.+?)\s*$/.exec(stdout) ?? []
  return command === undefined ? null : { name: basename(command), parentPid: Number(parentPid) }
}

async function findOnWindows(pid: number): Promise<Process | null> {
  const query = `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' | ForEach-Object { "$($_.ParentProcessId) $($_.Name)" }`
  const { stdout } = await promisify(execFile)('powershell.exe', ['-NoProfile', '-Command', query])
  const [, parentPid, name] = /^\s*(\d+)\s+(.+?)\s*$/.exec(stdout) ?? []
  return name === undefined ? null : { name: name.toLowerCase(), parentPid: Number(parentPid) }
}
