import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The machine that tests run on, as far as it matters for installing programs. */
export type Machine = {
  readonly platform: NodeJS.Platform
  /** The user id, or null where there is none (Windows). */
  readonly uid: number | null
  readonly env: Readonly<Record<string, string | undefined>>
  exists(path: string): boolean
  /** Runs a command and shows its output. Returns false when it failed or does not exist. */
  run(command: string, args: readonly string[]): boolean
}

/** Lists the paths where a program of this name may be, in PATH order. */
export function listProgramsOnPath({ env }: Machine, name: string): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name))
}

/** True when this process may install packages of Debian or Ubuntu. */
export function canInstallWithApt(machine: Machine): boolean {
  return machine.platform === 'linux' && machine.uid === 0 && machine.exists('/usr/bin/apt-get')
}

/**
 * Updates the package list, because an old list names packages that the mirror no longer has. A failure is ignored: the old list
 * may still work.
 */
export function updatePackages(machine: Machine): void {
  machine.run('apt-get', ['update'])
}

export function installPackage(machine: Machine, name: string): void {
  machine.run('apt-get', ['install', '--yes', '--no-install-recommends', name])
}

/** The command that a person should run. */
export function aptInstallCommand(name: string): string {
  return `apt-get update && apt-get install --yes ${name}`
}

/** The real machine. `missing` is the common name of the program to install, for the output. */
export function thisMachine(missing: string): Machine {
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    env: process.env,
    exists: existsSync,
    run: (command, args) => {
      process.stdout.write(`No ${missing} yet: ${command} ${args.join(' ')}\n`)
      const { status } = spawnSync(command, args, {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        // npx is a .cmd file on Windows, which Windows starts only through a shell. That is safe, because all arguments are
        // constants.
        shell: process.platform === 'win32',
      })
      return status === 0
    },
  }
}
