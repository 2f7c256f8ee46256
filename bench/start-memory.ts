import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NPM_START } from '#tests/support/npm-start.ts'
import type { ResidentMemory } from '#tests/support/resident-memory.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { startListener } from './support/child-process.ts'
import { keepFigures } from './support/figures.ts'

/**
 * The memory of `npm start` on data that is there: `node bench/start-memory.ts`. A server with 1 GB has to have room for it. On
 * Linux only, which tells it.
 */
const STARTS = 3
/** How long after it is ready the product is left alone, in milliseconds: its first jobs have run then. */
const IDLE_MS = 90_000
const MIB = 2 ** 20
const PEAK_TO_REACH = 600
const IDLE_TO_REACH = 450

await ensureWebBuild()
const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
try {
  // The first start makes the database and its demo data.
  await measureStart(0)
  const starts: ResidentMemory[] = []
  for (let i = 0; i < STARTS; i++) starts.push(await measureStart(IDLE_MS))
  const figures = [
    toFigure('at its peak', Math.max(...starts.map(({ peakBytes }) => peakBytes)), PEAK_TO_REACH),
    toFigure('idle', Math.max(...starts.map(({ nowBytes }) => nowBytes)), IDLE_TO_REACH),
  ]
  await keepFigures('memory-start', figures, { starts })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measureStart(idleMs: number): Promise<ResidentMemory> {
  const product = await startListener(NPM_START.program, {
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
  })
  await pause(idleMs)
  const memory = await product.memory()
  await product.stop()
  return memory
}

function toFigure(when: string, bytes: number, toReach: number) {
  return {
    what: `memory of npm start on existing data, ${when}, the most of ${STARTS}`,
    measured: bytes / MIB,
    floor: null,
    ratio: null,
    unit: 'MiB',
    toReach: `at most ${toReach} MiB`,
    reached: bytes / MIB <= toReach,
  }
}
