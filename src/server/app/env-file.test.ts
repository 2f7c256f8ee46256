import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const ROOT = join(import.meta.dirname, '../../..')

let folder: string
/** The content of `.env.example`, and the same file with every setting enabled. */
let example: string
let everything: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-env-'))
  example = await readFile(join(ROOT, '.env.example'), 'utf8')
  everything = example.replace(/^#(?=[A-Z_]+=)/gm, '')
  await writeFile(join(folder, 'everything'), everything)
})
afterAll(() => rm(folder, { recursive: true }))

test('sh reads the example as Meridian does, with every setting in use', () => {
  const script = 'set -eu; set -a; . ./everything; set +a; env -0'
  const sourced = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env: {} })
  const values = new Map(
    sourced.split('\0').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const read = parseEnv(everything)
  expect(Object.keys(read).length).toBeGreaterThan(40)
  for (const [name, value] of Object.entries(read)) expect([name, values.get(name)]).toEqual([name, value])
})

test('the example has the defaults', () => {
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}))
})

test.each([
  ['src/server/main.ts'],
  ['tools/start.ts'],
  ['tools/dev.ts'],
  ['tools/doctor.ts'],
  ['tools/backup.ts', 'new.backup'],
  ['tools/restore.ts', 'old.backup'],
  ['tools/operator.ts', 'plans'],
])('%s reads .env, and the environment wins', { tags: ['slow'] }, async (program, ...args) => {
  await writeFile(join(folder, '.env'), 'PORT=many\nBASE_URL=nowhere\n')
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, PORT: '3000' }, timeout: 60_000 }
    execFile(process.execPath, [join(ROOT, program), ...args], options, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
  expect(said).toContain('BASE_URL: needs an address like')
  expect(said).not.toContain('PORT:')
})

test('a Node that cannot run TypeScript says what to install', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const check = 'node tools/require-packages.mjs'
  const commands = ['start', 'dev', 'build', 'backup', 'restore', 'operator', 'doctor']
  expect(commands.map((name) => scripts[`pre${name}`])).toEqual(commands.map(() => check))
  // These options make Node behave like Node 20.
  const old = ['--no-experimental-strip-types', join(ROOT, 'tools/require-packages.mjs')]
  const ending = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, old, (error, _stdout, stderr) => resolve({ code: error?.code, stderr })),
  )
  expect(ending.code).toBe(1)
  expect(ending.stderr).toMatch(/^Node [\d.]+ cannot run Meridian.*Run: npm ci --include=dev\n$/)
  execFileSync(process.execPath, [join(ROOT, 'tools/require-packages.mjs')])
})
