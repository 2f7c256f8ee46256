import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './support/figures.ts'

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
  { program: 'memory', result: 'memory' },
  { program: 'lighthouse', result: 'lighthouse' },
]

const word = process.argv[2] ?? ''
const chosen = BENCHMARKS.filter(
  ({ program, result }) => existsSync(toFile(program)) && result.includes(word),
)
const figures: Figure[] = []
const failed: string[] = []
for (const { program, args = [], result } of chosen) {
  const file = join(import.meta.dirname, 'results', `${result}.json`)
  await rm(file, { force: true })
  console.log(`\n${result}`)
  await run(toFile(program), args)
  // A benchmark that misses a figure ends with 1 as well, and has written what it found.
  const found = await readFile(file, 'utf8').catch(() => null)
  if (found === null) failed.push(result)
  else figures.push(...(JSON.parse(found) as { figures: Figure[] }).figures) // written by keepFigures
}

const lines = ['| what | measured | floor | ratio | to reach | reached |', '|---|---|---|---|---|---|']
for (const { what, measured, floor, ratio, unit, toReach, reached } of figures) {
  const cells = [
    what,
    `${round(measured)} ${unit}`,
    floor === null ? '' : round(floor),
    ratio?.toFixed(2) ?? '',
    toReach,
  ]
  lines.push(`| ${cells.join(' | ')} | ${reached ? 'yes' : 'NO'} |`)
}
const table = `${lines.join('\n')}\n`
console.log(`\n${table}`)
// Part of them is no record.
if (word === '')
  await writeFile(join(import.meta.dirname, 'results/table.md'), `${describeRun()}\n\n${table}`)
for (const name of failed) console.log(`${name} ended without a figure`)
process.exitCode =
  failed.length > 0 || figures.length === 0 || figures.some(({ reached }) => !reached) ? 1 : 0

function toFile(program: string): string {
  return join(import.meta.dirname, `${program}.ts`)
}

function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', () => resolve()))
}

/** Where and with what the figures were found. */
function describeRun(): string {
  const [processor] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${memory}, ${platform()} ${release()}`
  return `Recorded on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${machine}.`
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
