import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * `npm run bench`: runs the benchmarks one after another, each in its own process. `npm run bench -- slots` runs those with this
 * word in their name. Exits with 1 when a benchmark fails or a figure misses its target.
 */
const BENCHMARKS = ['slot-engine', 'slots', 'bookings', 'memory', 'start-memory', 'page', 'navigation']

const word = process.argv[2] ?? ''
for (const name of BENCHMARKS.filter((benchmark) => benchmark.includes(word))) {
  console.log(`\n${name}`)
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) process.exitCode = 1
}
