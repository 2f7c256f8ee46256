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
 * is none it installs one: on Debian and Ubuntu as root the package, elsewhere Playwright's. Where packages can be installed, a
 * `shell` is even when the whole browser is there: it takes ten seconds and saves a quarter of the journeys' time.
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
  return names.flatMap((name) => listOnPath(machine, name))
}

/** Null when the package cannot be had: older releases of Debian have none of the shell. */
function installByApt(machine: Machine, name: string): string | null {
  if (!usesApt(machine)) return null
  updatePackages(machine)
  installPackage(machine, name)
  return findFirst(machine, onPath(machine, [name]))
}

function installPlaywrights(machine: Machine): string | null {
  machine.run('npx', ['playwright', 'install', 'chromium'])
  return findFirst(machine, [machine.playwrightPath])
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
