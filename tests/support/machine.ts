import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The machine that tests run on, as far as it has to get programs for them. */
export type Machine = {
  readonly platform: NodeJS.Platform
  /** The user id, or null where there is none (Windows). */
  readonly uid: number | null
  readonly env: Readonly<Record<string, string | undefined>>
  exists(path: string): boolean
  /** Runs a command and lets its output be seen. False when it failed or does not exist. */
  run(command: string, args: readonly string[]): boolean
}

/** Where a program with this name can be, in the order of the PATH. */
export function listOnPath({ env }: Machine, name: string): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name))
}

/** Whether this process may install packages of Debian or Ubuntu. */
export function usesApt(machine: Machine): boolean {
  return machine.platform === 'linux' && machine.uid === 0 && machine.exists('/usr/bin/apt-get')
}

/** An old package list names packages that the mirror no longer has; a failed update may still do. */
export function updatePackages(machine: Machine): void {
  machine.run('apt-get', ['update'])
}

export function installPackage(machine: Machine, name: string): void {
  machine.run('apt-get', ['install', '--yes', '--no-install-recommends', name])
}

/** For a person to run. */
export function aptCommand(name: string): string {
  return `apt-get update && apt-get install --yes ${name}`
}

/** `missing` is what the machine is told to get, as a person calls it. */
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
        // Windows starts .cmd files, which npx is, through a shell only; all arguments are constants.
        shell: process.platform === 'win32',
      })
      return status === 0
    },
  }
}
