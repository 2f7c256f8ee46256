import { equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findFreePort } from '#tests/support/free-port.ts'
import { runProof } from './run-proof.ts'

/**
 * The last stage of the Dockerfile, laid out in a folder: its files and its packages only, by its own commands. It starts,
 * is ready, serves a page, and stops. No Docker is needed.
 */
const ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 120_000
const BYTES_PER_MB = 1_048_576

await runProof(async (counts, begin) => {
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'meridian-image-'))
  // What the other stages make: the web build of this checkout, and the packages of production.
  const builds = linesOf(dockerfile, 'RUN').filter((command) => command === 'npm run build')
  const [, packages = '', last = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  begin()
  for (const command of builds) run(command, ROOT)
  for (const line of linesOf(packages, 'COPY')) copy(line, folder)
  for (const command of linesOf(packages, 'RUN')) run(command, folder)
  for (const line of linesOf(last, 'COPY')) {
    if (!line.startsWith('--from=packages')) copy(line.replace(/^--from=web \/app\//, ''), folder)
  }
  counts['packages (MB)'] = Math.round(sizeOf(join(folder, 'node_modules')) / BYTES_PER_MB)
  counts['all files (MB)'] = Math.round(sizeOf(folder) / BYTES_PER_MB)

  const port = await findFreePort()
  const startMs = performance.now()
  const [, ...args] = JSON.parse(linesOf(last, 'CMD')[0] ?? '[]')
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      BASE_URL: 'https://book.example.org',
      SECRET_KEY: 'the secret key of an image that is tried out',
      SMTP_URL: 'smtp://127.0.0.1:9',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  while (
    !(await ask('/readyz').then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    ok(child.exitCode === null && performance.now() - startMs < START_TIMEOUT_MS, 'it starts')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  counts['ready after (ms)'] = Math.round(performance.now() - startMs)
  match(await (await ask('/')).text(), /<title>/)
  equal((await ask('/login')).status, 200)
  child.kill('SIGTERM')
  const code = await new Promise((resolve) => child.once('exit', resolve))
  equal(code, 0, 'it stops')
  await rm(folder, { recursive: true })
})

function linesOf(dockerfile: string, instruction: string): string[] {
  const lines = dockerfile.split('\n').filter((line) => line.startsWith(`${instruction} `))
  return lines.map((line) => line.slice(instruction.length + 1))
}

/** A COPY of files of the checkout: to a path, or into the folder itself. */
function copy(line: string, folder: string): void {
  const paths = line.split(' ')
  const to = paths.pop() ?? ''
  for (const path of paths) {
    cpSync(join(ROOT, path), join(folder, to === './' ? basename(path) : to), { recursive: true })
  }
}

function run(command: string, cwd: string): void {
  const [program = '', ...args] = command.split(' ')
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
