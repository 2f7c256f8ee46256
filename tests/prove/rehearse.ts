import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Rehearses the proofs whose scripts are given, with PROOF_REHEARSAL set: all in this process, one after the other, because most of
 * the time of one would go to loading the product. It ends with 1 when one of them cannot be set up.
 */
let failed = 0
for (const script of process.argv.slice(2)) {
  const startedMs = performance.now()
  try {
    await import(pathToFileURL(resolve(script)).href)
    process.stdout.write(`${script}: ${Math.round(performance.now() - startedMs)} ms\n`)
  } catch (error) {
    failed += 1
    process.stderr.write(`${script} cannot be set up:\n${error instanceof Error ? error.stack : error}\n`)
  }
}
// The servers that the set-ups started end with this process.
process.exit(failed === 0 ? 0 : 1)
