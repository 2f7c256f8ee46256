import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kept, RESULTS_DIR, round } from './support/figures.ts'

/**
 * All benchmarks, one after the other, each in a process of its own: `npm run bench`, or those with a word in their name:
 * `npm run bench -- slots`. Ends with 1 when a figure is missed or a benchmark fails.
 */
const BENCHMARKS: readonly { program: string; args?: readonly string[]; result: string }[] = [
  { program: 'slot-engine', result: 'slot-engine' },
  { program: 'slots', args: ['server'], result: 'slots-server' },
  { program: 'slots', args: ['embedded'], result: 'slots-embedded' },
  { program: 'bookings', result: 'bookings' },
  { program: 'appointment-list', args: ['server'], result: 'appointment-list-server' },
  { program: 'appointment-list', args: ['embedded'], result: 'appointment-list-embedded' },
  { program: 'insights', result: 'insights' },
  { program: 'ask', result: 'ask' },
  { program: 'first-start', result: 'first-start' },
  { program: 'memory', result: 'memory' },
  { program: 'start-memory', result: 'memory-start' },
  { program: 'navigation', result: 'navigation' },
  { program: 'lighthouse', result: 'lighthouse' },
]

const word = process.argv[2] ?? ''
const chosen = BENCHMARKS.filter(({ result }) => result.includes(word))
const found = new Map<string, Kept>()
for (const { program, args = [], result } of chosen) {
  await rm(toResult(result), { force: true })
  console.log(`\n${result}`)
  await run(join(import.meta.dirname, `${program}.ts`), args)
  // A benchmark that misses a figure ends with 1 as well, and has written what it found.
  const kept = await readKept(result)
  if (kept !== null) found.set(result, kept)
}
console.log(`\n${writeTable([...found.values()])}`)
const missing = chosen.filter(({ result }) => !found.has(result))
for (const { result } of missing) console.log(`${result} ended without a figure`)

// What was not run now stands as it was recorded last.
const everything = await Promise.all(BENCHMARKS.map(({ result }) => readKept(result)))
const recorded = everything.filter((kept) => kept !== null)
const runs = [...new Set(recorded.map((kept) => kept.recorded))].map((line) => `- ${line}`)
const page = `Recorded\n\n${runs.join('\n')}\n\n${writeTable(recorded)}`
await writeFile(join(RESULTS_DIR, 'table.md'), page)
const figures = [...found.values()].flatMap((kept) => kept.figures)
const isReached = figures.length > 0 && figures.every(({ reached }) => reached)
process.exitCode = missing.length === 0 && isReached ? 0 : 1

function writeTable(results: readonly Kept[]): string {
  const lines = [
    '| what | measured | floor | ratio | to reach | reached | commit |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const { commit, figures } of results) {
    for (const { what, measured, floor, ratio, unit, toReach, reached } of figures) {
      const cells = [
        what,
        `${round(measured)} ${unit}`,
        floor === null ? '' : round(floor),
        ratio?.toFixed(2) ?? '',
        toReach,
      ]
      lines.push(`| ${cells.join(' | ')} | ${reached ? 'yes' : 'NO'} | ${commit} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

function toResult(result: string): string {
  return join(RESULTS_DIR, `${result}.json`)
}

async function readKept(result: string): Promise<Kept | null> {
  const text = await readFile(toResult(result), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Kept) // written by keepFigures
}

function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', () => resolve()))
}
