import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Runs the dry run of the given proof scripts (PROOF_REHEARSAL is set). All run in this process one after another, because
 * loading Meridian takes most of the time of a dry run. Exits with 1 when a proof cannot be set up.
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
// Exiting also stops the servers that the setups have started.
process.exit(failed === 0 ? 0 : 1)
