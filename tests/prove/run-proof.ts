import { writeFile } from 'node:fs/promises'

/** What a proof counted, in the order of the table. */
export type Counts = Record<string, number | string>

/**
 * A rehearsal sets a proof up and ends it before it starts processes of the product: `npm test` does so with every proof. It needs
 * nothing that a machine may lack, such as nginx, another browser or the rights of root.
 */
export const IS_REHEARSAL = process.env.PROOF_REHEARSAL !== undefined

type Prove = (counts: Counts, begin: () => void) => Promise<void>

/** A proof that hangs has not held. */
const LIMIT_MS = 20 * 60_000

/**
 * Runs a proof to its end, prints what it counted, also when it failed, hands that to `npm run prove`, and ends the process. The
 * proof calls `begin` when it is set up. A rehearsal ends there, and leaves the process running.
 */
export async function runProof(prove: Prove): Promise<void> {
  if (IS_REHEARSAL) return rehearse(prove)
  const counts: Counts = {}
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
