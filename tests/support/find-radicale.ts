import {
  aptCommand,
  installPackage,
  listOnPath,
  type Machine,
  thisMachine,
  updatePackages,
  usesApt,
} from './machine.ts'

/**
 * Finds radicale, a CalDAV server. When there is none it is installed on Debian and Ubuntu as root.
 * @returns the path of its executable
 * @throws Error that names the command to run when there is still none
 */
export function findRadicale(machine: Machine = thisMachine('radicale')): string {
  const find = () => listOnPath(machine, 'radicale').find((path) => machine.exists(path)) ?? null
  const found = find()
  if (found !== null) return found
  if (usesApt(machine)) {
    updatePackages(machine)
    installPackage(machine, 'radicale')
  }
  const installed = find()
  if (installed !== null) return installed
  throw new Error(
    `The CalDAV server radicale was not found. Run: ${aptCommand('radicale')}\nElsewhere: pipx install radicale`,
  )
}
