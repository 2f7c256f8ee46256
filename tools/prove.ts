import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LONG_CHECKS } from '#tests/prove/proofs.ts'
import { describeRun } from './check/describe-run.ts'
import { readCommit } from './check/read-commit.ts'
import { runScript } from './check/run-script.ts'
import { ensureWebBuild } from './web-build.ts'

type Counts = Readonly<Record<string, number | string>>
type Result = {
  readonly name: string
  readonly held: boolean
  readonly seconds: number
  readonly counts: Counts
  readonly commit: string
  readonly recorded: string
}

const RESULTS = 'bench/results/prove.json'

/**
 * `npm run prove`: runs the proofs one after another, each in its own process, and prints a table. `npm run prove -- kill-nine`
 * runs only the named proofs. Each result is recorded in `bench/results/prove.json` with its commit, in place of the proof's
 * earlier result.
 */
process.chdir(join(import.meta.dirname, '..'))
const named = process.argv.slice(2)
const unknown = named.filter((name) => !LONG_CHECKS.some((proof) => proof.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no proof ${unknown.join(', ')}. There are: ${LONG_CHECKS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(1)
}
const commit = await readCommit()
await ensureWebBuild()
const results: Result[] = []
for (const proof of LONG_CHECKS) {
  if (named.length > 0 && !named.includes(proof.name)) continue
  const result = await run(proof)
  await keep(result)
  results.push(result)
}
printTable(results)
process.exitCode = results.every(({ held }) => held) ? 0 : 1

async function run({ name, script }: (typeof LONG_CHECKS)[number]): Promise<Result> {
  console.log(`\n== ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'meridian-prove-'))
  const path = join(folder, 'counts.json')
  const startedMs = performance.now()
  const { ok } = await runScript([script], { live: true, env: { PROOF_COUNTS: path } })
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  const counts = await readCounts(path)
  await rm(folder, { recursive: true })
  return { name, held: ok, seconds, counts, commit, recorded: describeRun() }
}

/** Reads the figures of a proof; empty when it ended before writing them. */
async function readCounts(path: string): Promise<Counts> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  // Written by `runLongCheck`.
  return JSON.parse(text) as Counts
}

function printTable(rows: readonly Result[]): void {
  console.log('\n| proof | held | seconds | counts |\n|---|---|---|---|')
  for (const { name, held, seconds, counts } of rows) {
    const counted = Object.entries(counts).map(([what, count]) => `${what}: ${count}`)
    console.log(`| ${name} | ${held ? 'yes' : 'NO'} | ${seconds} | ${counted.join('; ')} |`)
  }
}

async function keep(result: Result): Promise<void> {
  const recorded: Result[] = JSON.parse(await readFile(RESULTS, 'utf8')) // written by this file
  const rows = LONG_CHECKS.flatMap(({ name }) =>
    name === result.name ? result : recorded.filter((row) => row.name === name),
  )
  await writeFile(RESULTS, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
}
