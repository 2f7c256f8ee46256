import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** What `npm start` runs: the program, and the flags that Node gets for it. */
export const NPM_START: { readonly program: string; readonly flags: readonly string[] } = toCommand(
  scripts.start,
)

/** The flags that Node gets for a program of the project: a program that `npm start` runs is measured and tested as it runs there. */
export function nodeFlagsOf(program: string): readonly string[] {
  return program === NPM_START.program ? NPM_START.flags : []
}

function toCommand(script: string): typeof NPM_START {
  const [node, ...words] = script.split(' ')
  const program = words.at(-1)
  if (node !== 'node' || program === undefined) throw new Error(`npm start runs no program: ${script}`)
  return { program, flags: words.slice(0, -1) }
}
