import { writeFile } from 'node:fs/promises'

/** Figures of a proof by name, in the order of the table. */
export type ResultFigures = Record<string, number | string>

/**
 * True in a dry run, which sets a proof up and ends before the proof starts processes of Meridian. `npm test` does so with
 * every proof. A dry run needs nothing that a machine may lack, such as nginx, another browser or root.
 */
export const IS_DRY_RUN = process.env.PROOF_REHEARSAL !== undefined

type Prove = (counts: ResultFigures, begin: () => void) => Promise<void>

/** Maximum duration of a proof, in milliseconds. A proof that takes longer has failed. */
const LIMIT_MS = 20 * 60_000

/**
 * Runs a proof, prints its figures even when it failed, passes them to `npm run prove`, and ends the process. The proof calls
 * `begin` when it is set up. A dry run stops there and leaves the process running.
 */
export async function runLongCheck(prove: Prove): Promise<void> {
  if (IS_DRY_RUN) return rehearse(prove)
  const counts: ResultFigures = {}
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The proof did not come to an end.')), LIMIT_MS)
  })
  const failure = await Promise.race([prove(counts, () => {}), limit]).then(
    () => null,
    (error: unknown) => error,
  )
  clearTimeout(timer)
  for (const [what, count] of Object.entries(counts)) process.stdout.write(`  ${what}: ${count}\n`)
  if (failure !== null) {
    process.stderr.write(`${failure instanceof Error ? failure.stack : failure}\n`)
  }
  if (process.env.PROOF_COUNTS !== undefined) {
    await writeFile(process.env.PROOF_COUNTS, JSON.stringify(counts))
  }
  process.exit(failure === null ? 0 : 1)
}

async function rehearse(prove: Prove): Promise<void> {
  const end = new Error('The rehearsal ends here.')
  const failure = await prove({}, () => {
    throw end
  }).then(
    () => new Error('The proof did not say when it was set up.'),
    (error: unknown) => error,
  )
  if (failure !== end) throw failure
}
