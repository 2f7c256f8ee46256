import { findProgram } from './find-program.ts'
import { type Machine, thisMachine } from './machine.ts'

/** Finds radicale, a CalDAV server, or installs it. @throws Error that names the command to run when there is none */
export function findRadicale(machine: Machine = thisMachine('radicale')): string {
  const program = {
    title: 'The CalDAV server radicale',
    command: 'radicale',
    debianPackage: 'radicale',
    elsewhere: 'pipx install radicale',
  }
  return findProgram(program, machine)
}
