import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/**
 * Which browser is wanted. Chromium without windows (`shell`) draws and runs pages as the whole one does, and is what Playwright
 * itself takes; the journeys need two thirds of the processor time in it. Where people's browsers are measured it is the whole
 * one.
 */
export type BrowserKind = 'shell' | 'whole'

/** What the search asks of the machine. */
export type Machine = {
  readonly platform: NodeJS.Platform
  /** The user id, or null where there is none (Windows). */
  readonly uid: number | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where Playwright's own browser is, once it is installed; empty when it has none for this system. */
  readonly playwrightPath: string
  exists(path: string): boolean
  /** Runs a command and lets its output be seen. False when it failed or does not exist. */
  run(command: string, args: readonly string[]): boolean
}

const SHELL_NAME = 'chromium-headless-shell'
const LINUX_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MACOS_PATHS = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const WINDOWS_PATHS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/**
 * Finds a Chromium, in this order: CHROME_PATH, for a `shell` the one of the system, Playwright's own, the system's. When there
 * is none it installs one: on Debian and Ubuntu as root the package, elsewhere Playwright's.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findBrowser(kind: BrowserKind, machine: Machine = thisMachine()): string {
  const chosen = machine.env.CHROME_PATH
  if (chosen) {
    if (machine.exists(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, but there is no such file. Correct it, or unset it to search.`)
  }
  const found = findInstalled(kind, machine) ?? install(kind, machine)
  if (found !== null) return found
  throw new Error(
    `No Chromium was found and installing one failed. Run: ${installCommand(machine)}\n` +
      'Or set CHROME_PATH to the executable of a Chromium or Chrome that you have.',
  )
}

function findInstalled(kind: BrowserKind, machine: Machine): string | null {
  const paths = [...shellPaths(kind, machine), machine.playwrightPath, ...systemPaths(machine)]
  return paths.find((path) => machine.exists(path)) ?? null
}

function shellPaths(kind: BrowserKind, { platform, env }: Machine): string[] {
  return kind === 'shell' && platform === 'linux' ? onPath(env, [SHELL_NAME]) : []
}

function systemPaths({ platform, env }: Machine): string[] {
  if (platform === 'darwin') return MACOS_PATHS
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return folders.flatMap((folder) => (folder ? WINDOWS_PATHS.map((path) => `${folder}\\${path}`) : []))
  }
  return onPath(env, LINUX_NAMES)
}

function onPath(env: Machine['env'], names: readonly string[]): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function install(kind: BrowserKind, machine: Machine): string | null {
  if (usesApt(machine)) {
    // An old package list names packages that the mirror no longer has; a failed update may still do.
    machine.run('apt-get', ['update'])
    // Older releases of Debian have no package of the shell.
    for (const name of kind === 'shell' ? [SHELL_NAME, 'chromium'] : ['chromium']) {
      machine.run('apt-get', ['install', '--yes', '--no-install-recommends', name])
      const found = findInstalled(kind, machine)
      if (found !== null) return found
    }
  }
  machine.run('npx', ['playwright', 'install', 'chromium'])
  return findInstalled(kind, machine)
}

function usesApt(machine: Machine): boolean {
  return machine.platform === 'linux' && machine.uid === 0 && machine.exists('/usr/bin/apt-get')
}

function installCommand(machine: Machine): string {
  if (usesApt(machine)) return 'apt-get update && apt-get install --yes chromium'
  return machine.platform === 'linux'
    ? 'npx playwright install --with-deps chromium'
    : 'npx playwright install chromium'
}

function findPlaywrightPath(): string {
  try {
    return chromium.executablePath()
  } catch {
    // Playwright has no browser for this system; others may.
    return ''
  }
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    env: process.env,
    playwrightPath: findPlaywrightPath(),
    exists: existsSync,
    run: (command, args) => {
      process.stdout.write(`No Chromium yet: ${command} ${args.join(' ')}\n`)
      const { status } = spawnSync(command, args, {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        // Windows starts .cmd files, which npx is, through a shell only; all arguments are constants.
        shell: process.platform === 'win32',
      })
      return status === 0
    },
  }
}
