import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

/** What `npm start` runs: the program, and the flags that Node gets for it. */
export const NPM_START: { readonly program: string; readonly flags: readonly string[] } = toCommand(
  scripts.start,
)

function toCommand(script: string): typeof NPM_START {
  const [node, ...words] = script.split(' ')
  const program = words.at(-1)
  if (node !== 'node' || program === undefined) throw new Error(`npm start runs no program: ${script}`)
  return { program, flags: words.slice(0, -1) }
}
