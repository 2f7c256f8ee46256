import { runScript } from '#tools/check/run-script.ts'
import { IS_REHEARSAL } from './run-proof.ts'

const VITEST = 'node_modules/vitest/vitest.mjs'

/** Runs the long form of tests as a proof, and ends with 1 when one fails. A rehearsal only lists their files. */
export async function proveByTests(
  files: readonly string[],
  options: { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const { flags, env } = options
  if (IS_REHEARSAL) {
    const { ok, output } = await runScript([VITEST, 'list', '--filesOnly', ...flags, ...files], { env })
    const missing = files.filter((file) => !output.includes(file))
    if (!ok || files.length === 0 || missing.length > 0) {
      process.stderr.write(`Vitest does not find ${missing.join(', ') || 'any test'}.\n${output}`)
      process.exitCode = 1
    }
    return
  }
  const { ok } = await runScript([VITEST, 'run', ...flags, ...files], { live: true, env })
  process.exitCode = ok ? 0 : 1
}
