import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * A response of a sandbox and the type that it must have, such as `published.Event[]`. `published` is the provider's package of
 * types.
 */
export type TypedSandboxResponse = { readonly type: string; readonly value: unknown }

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'ES2024',
  lib: ['ES2024', 'DOM'],
  module: 'preserve',
  allowImportingTsExtensions: true,
  types: [],
}

/**
 * Returns the compiler's errors for responses that do not fit the types of a provider's package: unpublished fields, wrong types,
 * unknown enum values. Empty when all of them fit.
 */
export async function listTypeErrors(
  declarations: string,
  answers: readonly TypedSandboxResponse[],
): Promise<string[]> {
  const require = createRequire(import.meta.url)
  const folder = await mkdtemp(join(tmpdir(), 'meridian-shapes-'))
  try {
    const lines = answers.map(({ type, value }) => `(${JSON.stringify(value)}) satisfies ${type}`)
    const program = [`import type * as published from '${require.resolve(declarations)}'`, ...lines].join(
      '\n;',
    )
    await writeFile(join(folder, 'answers.ts'), `${program}\n`)
    const settings = { compilerOptions: COMPILER_OPTIONS, files: ['answers.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = join(require.resolve('typescript/package.json'), '../bin/tsc')
    const run = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false'])
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
