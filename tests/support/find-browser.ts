import { chromium } from '@playwright/test'
import {
  type Machine as AnyMachine,
  thisMachine as anyMachine,
  aptCommand,
  installPackage,
  listOnPath,
  updatePackages,
  usesApt,
} from './machine.ts'

/**
 * Which browser is wanted. Chromium without windows (`shell`) draws and runs pages as the whole one does, and is what Playwright
 * itself takes; the journeys need two thirds of the processor time in it. Where people's browsers are measured it is the whole
 * one.
 */
export type BrowserKind = 'shell' | 'whole'

/** What the search asks of the machine. */
export type Machine = AnyMachine & {
  /** Where Playwright's own browser is, once it is installed; empty when it has none for this system. */
  readonly playwrightPath: string
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

function shellPaths(kind: BrowserKind, machine: Machine): string[] {
  return kind === 'shell' && machine.platform === 'linux' ? onPath(machine, [SHELL_NAME]) : []
}

function systemPaths(machine: Machine): string[] {
  const { platform, env } = machine
  if (platform === 'darwin') return MACOS_PATHS
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return folders.flatMap((folder) => (folder ? WINDOWS_PATHS.map((path) => `${folder}\\${path}`) : []))
  }
  return onPath(machine, LINUX_NAMES)
}

function onPath(machine: Machine, names: readonly string[]): string[] {
  return names.flatMap((name) => listOnPath(machine, name))
}

function install(kind: BrowserKind, machine: Machine): string | null {
  if (usesApt(machine)) {
    updatePackages(machine)
    // Older releases of Debian have no package of the shell.
    for (const name of kind === 'shell' ? [SHELL_NAME, 'chromium'] : ['chromium']) {
      installPackage(machine, name)
      const found = findInstalled(kind, machine)
      if (found !== null) return found
    }
  }
  machine.run('npx', ['playwright', 'install', 'chromium'])
  return findInstalled(kind, machine)
}

function installCommand(machine: Machine): string {
  if (usesApt(machine)) return aptCommand('chromium')
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
  return { ...anyMachine('Chromium'), playwrightPath: findPlaywrightPath() }
}
