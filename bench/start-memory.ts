import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NPM_START } from '#tests/support/npm-start.ts'
import type { ResidentMemory } from '#tests/support/resident-memory.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { startServerProgram } from './support/child-process.ts'
import { recordFigures } from './support/figures.ts'

/**
 * `node bench/start-memory.ts`: measures the memory and CPU time of `npm start` on existing data while nobody uses it. The
 * product has to fit on a server with 1 GB, and on one with a share of a processor it has to leave CPU time for customers. Linux
 * only, where both figures are available.
 */
const STARTS = 3
/** How long Meridian is left idle after it is ready, in milliseconds. By then its first jobs have run. */
const IDLE_MS = 90_000
const MIB = 2 ** 20
const PEAK_TO_REACH = 600
const IDLE_TO_REACH = 450
/** The last part of the idle time, in which CPU time is measured, in milliseconds. */
const WATCHED_MS = 60_000
const PERCENT_TO_REACH = 4

type Start = ResidentMemory & { readonly processorPercent: number }

await ensureWebBuild()
const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
try {
  // Not measured, because the first start creates the database and its demo data.
  await measureStart(0)
  const starts: Start[] = []
  for (let i = 0; i < STARTS; i++) starts.push(await measureStart(IDLE_MS))
  const figures = [
    toFigure(
      'memory of npm start on existing data, at its peak',
      starts.map(({ peakBytes }) => peakBytes / MIB),
      { unit: 'MiB', atMost: PEAK_TO_REACH },
    ),
    toFigure(
      'memory of npm start on existing data, idle',
      starts.map(({ nowBytes }) => nowBytes / MIB),
      { unit: 'MiB', atMost: IDLE_TO_REACH },
    ),
    toFigure(
      'processor time of npm start, idle',
      starts.map(({ processorPercent }) => processorPercent),
      { unit: '% of one processor', atMost: PERCENT_TO_REACH },
    ),
  ]
  await recordFigures('start-memory', figures)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measureStart(idleMs: number): Promise<Start> {
  const product = await startServerProgram(NPM_START.program, {
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
  })
  const watchedMs = Math.min(WATCHED_MS, idleMs)
  await pause(idleMs - watchedMs)
  const beforeMs = await product.cpuMs()
  await pause(watchedMs)
  const processorPercent = (100 * ((await product.cpuMs()) - beforeMs)) / watchedMs
  const memory = await product.memory()
  await product.stop()
  return { ...memory, processorPercent }
}

function toFigure(
  what: string,
  ofStarts: readonly number[],
  { unit, atMost }: { readonly unit: string; readonly atMost: number },
) {
  const measured = Math.max(...ofStarts)
  return {
    what: `${what}, the most of ${STARTS}`,
    measured,
    floor: null,
    ratio: null,
    unit,
    toReach: `at most ${atMost} ${unit}`,
    reached: measured <= atMost,
  }
}
