import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compilePGlite, findParser } from './unoptimized-parser.ts'

const HERE = import.meta.dirname
/** How often V8 sees the parser called; it wants to optimise it after a few calls. */
const STATEMENTS = 300

test('V8 compiles the SQL parser of the embedded database, and never optimises it', {
  tags: ['slow'],
}, async () => {
  const [{ name: parser }, ours, without] = await Promise.all([
    compilePGlite().then(findParser),
    listCompilers(`
      const { openDatabase } = await import('${HERE}/database.ts')
      const { execute, close } = await openDatabase({ dataDir: 'memory://', poolSize: 1 })
      for (let i = 0; i < ${STATEMENTS}; i++) await execute('select ' + i)
      await close()`),
    listCompilers(`
      const { PGlite } = await import('@electric-sql/pglite')
      const pglite = await PGlite.create('memory://')
      for (let i = 0; i < ${STATEMENTS}; i++) await pglite.query('select ' + i)
      await pglite.close()`),
  ])
  // An exported function has its number for a name.
  expect(ours.get(parser)).toEqual(['Liftoff'])
  // Everything else may be optimised as ever.
  expect([...ours.values()].filter((compilers) => compilers.includes('TurboFan')).length).toBeGreaterThan(20)
  // Without that it would have been, so that this test would see it.
  expect(without.get(parser)).toContain('TurboFan')
})

/** By the number of a function in the module, what compiled it; as V8 tells. */
async function listCompilers(script: string): Promise<Map<string, string[]>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--trace-wasm-compilation-times', '--input-type=module', '--eval', script],
    { cwd: HERE, maxBuffer: 64 * 1024 * 1024 },
  )
  const compilers = new Map<string, string[]>()
  for (const [, index = '', compiler = ''] of stdout.matchAll(/^Compiled function \S+#(\d+) using (\w+)/gm)) {
    compilers.set(index, [...(compilers.get(index) ?? []), compiler])
  }
  return compilers
}
