import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** The program that `npm start` runs, and the Node flags that it sets. */
export const NPM_START: { readonly program: string; readonly flags: readonly string[] } = toCommand(
  scripts.start,
)

/**
 * Node flags for a program of the project. The program that `npm start` runs gets the same flags when it is measured and tested.
 */
export function nodeFlagsOf(program: string): readonly string[] {
  return program === NPM_START.program ? NPM_START.flags : []
}

function toCommand(script: string): typeof NPM_START {
  const [node, ...words] = script.split(' ')
  const program = words.at(-1)
  if (node !== 'node' || program === undefined) throw new Error(`npm start runs no program: ${script}`)
  return { program, flags: words.slice(0, -1) }
}
