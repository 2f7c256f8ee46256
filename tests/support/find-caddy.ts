import { findProgram } from './find-program.ts'
import { type Machine, thisMachine } from './machine.ts'

/** Finds Caddy, or installs it. @throws Error that names the command to run when there is none */
export function findCaddy(machine: Machine = thisMachine('caddy')): string {
  const program = {
    title: 'The server Caddy',
    command: 'caddy',
    debianPackage: 'caddy',
    elsewhere: 'https://caddyserver.com/docs/install',
  }
  return findProgram(program, machine)
}
