import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeRun } from '#tools/check/describe-run.ts'
import { readCommit } from '#tools/check/read-commit.ts'

export type Figure = {
  readonly what: string
  /** The measured value, in `unit`. */
  readonly measured: number
  /** The figure of the floor, in `unit`; null when there is nothing to compare with. */
  readonly floor: number | null
  /** `measured` divided by `floor`; null without a floor. */
  readonly ratio: number | null
  readonly unit: string
  /** The target, in words. */
  readonly toReach: string
  readonly reached: boolean
}

/** A figure with its benchmark, the measured commit, and the machine. */
type RecordedFigure = { readonly benchmark: string } & Figure & {
    readonly commit: string
    readonly recorded: string
  }

/** Read at the start, because a benchmark takes minutes and the commit may change meanwhile. */
const commit = readCommit()

const RESULTS = join(import.meta.dirname, '../results/benchmarks.json')

/** Records a benchmark's figures in place of its earlier ones, and makes the process fail when one misses its target. */
export async function recordFigures(benchmark: string, figures: readonly Figure[]): Promise<void> {
  const found = { commit: await commit, recorded: describeRun() }
  const rows = figures.map((figure) => ({ benchmark, ...figure, ...found }))
  const others = (await readResults()).filter((row) => row.benchmark !== benchmark)
  const lines = [...others, ...rows].map((row) => JSON.stringify(row))
  await writeFile(RESULTS, `[\n${lines.join(',\n')}\n]\n`)
  for (const figure of figures) console.log(`${figure.reached ? 'reached' : 'MISSED '}  ${describe(figure)}`)
  if (figures.some(({ reached }) => !reached)) process.exitCode = 1
}

async function readResults(): Promise<RecordedFigure[]> {
  return JSON.parse(await readFile(RESULTS, 'utf8')) // written by recordFigures
}

function describe({ what, measured, floor, ratio, unit, toReach }: Figure): string {
  const against = floor === null ? '' : ` against ${round(floor)}: ${ratio?.toFixed(2)} ×`
  return `${what}: ${round(measured)} ${unit}${against} (${toReach})`
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
