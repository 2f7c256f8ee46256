import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dryRunLongChecks } from './rehearse-proofs.ts'

const RUN_PROOF = join(import.meta.dirname, '../../tests/prove/run-proof.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-rehearse-proofs-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function rehearse(proof: string) {
  const path = join(folder, 'proof.mjs')
  await writeFile(
    path,
    `import { runLongCheck } from ${JSON.stringify(RUN_PROOF)}\nawait runLongCheck(${proof})\n`,
  )
  return dryRunLongChecks([path])
}

test('a rehearsal ends where the load of a proof would begin', async () => {
  const { ok } = await rehearse(`async (counts, begin) => { begin(); throw new Error('the load') }`)
  expect(ok).toBe(true)
})

test('a proof whose set-up fails fails in its rehearsal', async () => {
  const { ok, output } = await rehearse(`async () => { throw new Error('no practice') }`)
  expect(ok).toBe(false)
  expect(output).toContain('no practice')
})

test('a proof that never begins fails in its rehearsal', async () => {
  const { ok, output } = await rehearse('async () => {}')
  expect(ok).toBe(false)
  expect(output).toContain('did not say when it was set up')
})

test('a rehearsal runs outside Vitest, also when Vitest starts it', async () => {
  const vitest = JSON.stringify(import.meta.resolve('vitest'))
  const { ok, output } = await rehearse(
    `async (counts, begin) => { await (await import(${vitest})).vi.waitFor(() => {}); begin() }`,
  )
  expect(ok).toBe(false)
  expect(output).toContain('Vitest')
})
