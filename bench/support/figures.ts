import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { readCommit } from '#tools/check/read-commit.ts'

/** One line of the table in bench/README.md. */
export type Figure = {
  readonly what: string
  /** In `unit`. */
  readonly measured: number
  /** In `unit`; null where the figure stands alone. */
  readonly floor: number | null
  /** Measured against the floor; null without one. */
  readonly ratio: number | null
  readonly unit: string
  /** In words. */
  readonly toReach: string
  readonly reached: boolean
}

/** What a benchmark leaves behind. */
export type Kept = {
  /** The commit at which the figures were found. */
  readonly commit: string
  /** Where and with what the figures were found. */
  readonly recorded: string
  readonly figures: readonly Figure[]
  readonly details: object
}

/** Read at the start, because a benchmark takes minutes. */
const commit = readCommit()

export const RESULTS_DIR = join(import.meta.dirname, '../results')

/** Keeps what a benchmark found where `npm run bench` finds it, with whatever explains it. */
export async function keepFigures(
  name: string,
  figures: readonly Figure[],
  details: object = {},
): Promise<void> {
  await mkdir(RESULTS_DIR, { recursive: true })
  const kept: Kept = { commit: await commit, recorded: describeRun(), figures, details }
  const text = JSON.stringify(kept, null, 2)
  await writeFile(join(RESULTS_DIR, `${name}.json`), `${text}\n`)
  for (const figure of figures) console.log(`${figure.reached ? 'reached' : 'MISSED '}  ${describe(figure)}`)
}

function describeRun(): string {
  const [processor] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${memory}, ${platform()} ${release()}`
  return `${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${machine}`
}

function describe({ what, measured, floor, ratio, unit, toReach }: Figure): string {
  const against = floor === null ? '' : ` against ${round(floor)}: ${ratio?.toFixed(2)} ×`
  return `${what}: ${round(measured)} ${unit}${against} (${toReach})`
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
