import { chromium } from '@playwright/test'
import {
  type Machine as AnyMachine,
  thisMachine as anyMachine,
  aptCommand,
  installByApt,
  listOnPath,
  usesApt,
} from './machine.ts'

/** What the search asks of the machine. */
export type Machine = AnyMachine & {
  /** Where Playwright's own browser is, once it is installed; empty when it has none for this system. */
  readonly playwrightPath: string
}

const LINUX_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MACOS_PATHS = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const WINDOWS_PATHS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/**
 * Finds a Chromium, in this order: CHROME_PATH, Playwright's own, the system's. When there is none it installs
 * one: on Debian and Ubuntu as root the `chromium` package, elsewhere Playwright's.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findBrowser(machine: Machine = thisMachine()): string {
  const chosen = machine.env.CHROME_PATH
  if (chosen) {
    if (machine.exists(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, but there is no such file. Correct it, or unset it to search.`)
  }
  const found = findInstalled(machine) ?? install(machine)
  if (found !== null) return found
  throw new Error(
    `No Chromium was found and installing one failed. Run: ${installCommand(machine)}\n` +
      'Or set CHROME_PATH to the executable of a Chromium or Chrome that you have.',
  )
}

function findInstalled(machine: Machine): string | null {
  return [machine.playwrightPath, ...systemPaths(machine)].find((path) => machine.exists(path)) ?? null
}

function systemPaths(machine: Machine): string[] {
  const { platform, env } = machine
  if (platform === 'darwin') return MACOS_PATHS
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return folders.flatMap((folder) => (folder ? WINDOWS_PATHS.map((path) => `${folder}\\${path}`) : []))
  }
  return LINUX_NAMES.flatMap((name) => listOnPath(machine, name))
}

function install(machine: Machine): string | null {
  if (usesApt(machine)) {
    installByApt(machine, 'chromium')
    const found = findInstalled(machine)
    if (found !== null) return found
  }
  machine.run('npx', ['playwright', 'install', 'chromium'])
  return findInstalled(machine)
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
