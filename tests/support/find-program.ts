import {
  aptInstallCommand,
  canInstallWithApt,
  installPackage,
  listProgramsOnPath,
  type Machine,
  updatePackages,
} from './machine.ts'

/** A system program that tests need. */
export type SystemProgram = {
  /** The name that people use for it. */
  readonly title: string
  /** The name of its executable. */
  readonly command: string
  /** Folders to search in addition to the PATH. */
  readonly folders?: readonly string[]
  /** The Debian and Ubuntu package that contains the program. */
  readonly debianPackage: string
  /** How people on other systems install it. */
  readonly elsewhere: string
}

/**
 * Finds a program. On Debian and Ubuntu, installs a missing program when run as root.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findProgram(program: SystemProgram, machine: Machine): string {
  const { title, command, folders = [], debianPackage, elsewhere } = program
  const paths = [...listProgramsOnPath(machine, command), ...folders.map((folder) => `${folder}/${command}`)]
  const find = () => paths.find((path) => machine.exists(path)) ?? null
  const found = find()
  if (found !== null) return found
  if (canInstallWithApt(machine)) {
    updatePackages(machine)
    installPackage(machine, debianPackage)
  }
  const installed = find()
  if (installed !== null) return installed
  throw new Error(`${title} was not found. Run: ${aptInstallCommand(debianPackage)}\nElsewhere: ${elsewhere}`)
}
