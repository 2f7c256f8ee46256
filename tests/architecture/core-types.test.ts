import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { withTemporaryFiles } from './planted-tree.ts'
import { ROOT, runTool } from './run-tool.ts'

/** Names of the runtime environment that core must not be able to use, one statement each. */
const OUTSIDE_WORLD = {
  process: 'export const home = process.env.HOME',
  Buffer: `export const bytes = Buffer.from('a')`,
  fetch: `export const answer = fetch('http://localhost')`,
  console: `console.log('hello')`,
  setTimeout: 'setTimeout(() => {}, 1)',
  document: 'export const title = document.title',
  window: 'export const width = window.innerWidth',
  localStorage: `localStorage.setItem('a', 'b')`,
  crypto: 'export const id = crypto.randomUUID()',
} as const

let compilerOutput: string
let exitCode: number | null

beforeAll(async () => {
  const planted = Object.entries(OUTSIDE_WORLD).map(([name, text]) => [`src/core/${name}.ts`, text])
  const tree = {
    ...Object.fromEntries(planted),
    'src/core/node.ts': `import { readFileSync } from 'node:fs'\nexport const read = readFileSync`,
    'src/core/pure.ts': `import { Temporal } from 'temporal-polyfill'\nexport const day = Temporal.PlainDate.from('2026-03-02')`,
    'package.json': await readFile(join(ROOT, 'package.json'), 'utf8'),
    'tsconfig.base.json': await readFile(join(ROOT, 'tsconfig.base.json'), 'utf8'),
    'tsconfig.core.json': await readFile(join(ROOT, 'tsconfig.core.json'), 'utf8'),
  }
  const compile = (folder: string) =>
    runTool('typescript/bin/tsc', ['-p', 'tsconfig.core.json', '--pretty', 'false'], folder)
  const ran = await withTemporaryFiles(tree, compile, { node_modules: join(ROOT, 'node_modules') })
  compilerOutput = ran.stdout
  exitCode = ran.exitCode
})

test.each(Object.keys(OUTSIDE_WORLD))('%s does not compile in core', (name) => {
  expect(exitCode).not.toBe(0)
  expect(errorsIn(`src/core/${name}.ts`)).toMatch(new RegExp(`Cannot find name '${name}'`))
})

test('a module of Node does not compile in core', () => {
  expect(errorsIn('src/core/node.ts')).toMatch(/Cannot find (module|name) 'node:fs'/)
})

test('what core may use compiles', () => {
  expect(errorsIn('src/core/pure.ts')).toBe('')
})

function errorsIn(file: string): string {
  return compilerOutput
    .split('\n')
    .filter((line) => line.startsWith(`${file}(`))
    .join('\n')
}
