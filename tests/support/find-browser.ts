import { chromium } from '@playwright/test'
import {
  type Machine as AnyMachine,
  thisMachine as anyMachine,
  aptInstallCommand,
  canInstallWithApt,
  installPackage,
  listProgramsOnPath,
  updatePackages,
} from './machine.ts'

/**
 * The kind of browser. `shell` is Chromium without windows: it renders and runs pages as the whole browser does, is Playwright's
 * default, and runs the journeys in two thirds of the CPU time. `whole` is used where people's browsers are measured.
 */
export type BrowserKind = 'shell' | 'whole'

/** The machine that is searched for a browser. */
export type Machine = AnyMachine & {
  /** The path of Playwright's own browser once it is installed; empty when Playwright has none for this system. */
  readonly playwrightPath: string
}

const SHELL_NAME = 'chromium-headless-shell'
const LINUX_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MACOS_PATHS = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const WINDOWS_PATHS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/**
 * Finds a Chromium, in this order: CHROME_PATH, the system's package for a `shell`, Playwright's own, any browser of the system.
 * Without any, installs one: the package on Debian and Ubuntu as root, Playwright's elsewhere. Where packages can be installed,
 * the `shell` package is installed even next to a whole browser: it takes ten seconds and saves a quarter of the journeys' time.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findBrowser(kind: BrowserKind, machine: Machine = thisMachine()): string {
  const chosen = machine.env.CHROME_PATH
  if (chosen) {
    if (machine.exists(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, but there is no such file. Correct it, or unset it to search.`)
  }
  const found =
    findFirst(machine, [...shellPaths(kind, machine), machine.playwrightPath]) ??
    (kind === 'shell' ? installByApt(machine, SHELL_NAME) : null) ??
    findFirst(machine, systemPaths(machine)) ??
    installByApt(machine, 'chromium') ??
    installPlaywrights(machine)
  if (found !== null) return found
  throw new Error(
    `No Chromium was found and installing one failed. Run: ${installCommand(machine)}\n` +
      'Or set CHROME_PATH to the executable of a Chromium or Chrome that you have.',
  )
}

function findFirst(machine: Machine, paths: readonly string[]): string | null {
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
  return names.flatMap((name) => listProgramsOnPath(machine, name))
}

/** Installs a package. Returns null when it is not available: older Debian releases have no shell package. */
function installByApt(machine: Machine, name: string): string | null {
  if (!canInstallWithApt(machine)) return null
  updatePackages(machine)
  installPackage(machine, name)
  return findFirst(machine, onPath(machine, [name]))
}

function installPlaywrights(machine: Machine): string | null {
  machine.run('npx', ['playwright', 'install', 'chromium'])
  return findFirst(machine, [machine.playwrightPath])
}

function installCommand(machine: Machine): string {
  if (canInstallWithApt(machine)) return aptInstallCommand('chromium')
  return machine.platform === 'linux'
    ? 'npx playwright install --with-deps chromium'
    : 'npx playwright install chromium'
}

function findPlaywrightPath(): string {
  try {
    return chromium.executablePath()
  } catch {
    // Playwright has no browser for this system, but another source may.
    return ''
  }
}

function thisMachine(): Machine {
  return { ...anyMachine('Chromium'), playwrightPath: findPlaywrightPath() }
}
