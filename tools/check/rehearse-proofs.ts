import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { runScript } from './run-script.ts'
import type { StepResult } from './run-steps.ts'

/** Timeout of all dry runs, in milliseconds. Many times as long as they take. */
const LIMIT_MS = 3 * MINUTE_MS

/** Sets proofs up outside Vitest, as `npm run prove` does, and ends each before its load. */
export async function dryRunLongChecks(scripts: readonly string[]): Promise<StepResult> {
  // A temporary folder for all dry runs, which do not remove their files.
  const folder = await mkdtemp(join(tmpdir(), 'meridian-rehearsal-'))
  // PostgreSQL runs as another user, who needs access to the files.
  await chmod(folder, 0o755)
  try {
    return await runScript(['tests/prove/rehearse.ts', ...scripts], {
      env: { PROOF_REHEARSAL: 'true', TMPDIR: folder },
      limitMs: LIMIT_MS,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
