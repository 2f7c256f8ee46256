import { aptCommand, installPackage, listOnPath, type Machine, updatePackages, usesApt } from './machine.ts'

/** A program of the system that tests need. */
export type Program = {
  /** What people call it. */
  readonly title: string
  /** The name of its executable. */
  readonly command: string
  /** Folders beside those of the PATH in which it can be. */
  readonly folders?: readonly string[]
  /** The package of Debian and Ubuntu that has it. */
  readonly debianPackage: string
  /** Where others get it. */
  readonly elsewhere: string
}

/**
 * Finds a program. When there is none it is installed on Debian and Ubuntu as root.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findProgram(program: Program, machine: Machine): string {
  const { title, command, folders = [], debianPackage, elsewhere } = program
  const paths = [...listOnPath(machine, command), ...folders.map((folder) => `${folder}/${command}`)]
  const find = () => paths.find((path) => machine.exists(path)) ?? null
  const found = find()
  if (found !== null) return found
  if (usesApt(machine)) {
    updatePackages(machine)
    installPackage(machine, debianPackage)
  }
  const installed = find()
  if (installed !== null) return installed
  throw new Error(`${title} was not found. Run: ${aptCommand(debianPackage)}\nElsewhere: ${elsewhere}`)
}
