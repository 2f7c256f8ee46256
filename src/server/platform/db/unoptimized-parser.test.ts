import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compilePGlite, findSqlParser } from './unoptimized-parser.ts'

const HERE = import.meta.dirname
/** Number of calls to the parser; V8 would optimise it after a few. */
const STATEMENTS = 300

test('V8 compiles the SQL parser of the embedded database, and never optimises it', {
  tags: ['slow'],
}, async () => {
  const [{ name: parser }, ours, without] = await Promise.all([
    compilePGlite().then(findSqlParser),
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
  // The name of an exported function is its index.
  expect(ours.get(parser)).toEqual(['Liftoff'])
  // All other functions may be optimised as usual.
  expect([...ours.values()].filter((compilers) => compilers.includes('TurboFan')).length).toBeGreaterThan(20)
  // Without the setting, the function is optimised, so this test would fail.
  expect(without.get(parser)).toContain('TurboFan')
})

/** Lists the compilers that V8 used for each function of the module, by index. */
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
