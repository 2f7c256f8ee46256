import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NPM_START } from '#tests/support/npm-start.ts'
import { ensureWebBuild } from '#tools/web-build.ts'
import { startListener } from './support/child-process.ts'
import { keepFigures } from './support/figures.ts'

/**
 * What the demo practice adds to the first start: `node bench/first-start.ts`. Starts in empty folders, with and without it, in turns,
 * so that both meet the same machine.
 */
const PAIRS = 3
const TO_REACH_MS = 5_000

await ensureWebBuild()
const pairs: { withDemoMs: number; withoutMs: number }[] = []
for (let i = 0; i < PAIRS; i += 1) {
  const withoutMs = await startIn({ DEMO: 'false' })
  const withDemoMs = await startIn({ DEMO: 'true' })
  pairs.push({ withDemoMs, withoutMs })
}
const added = pairs.map(({ withDemoMs, withoutMs }) => withDemoMs - withoutMs).sort((a, b) => a - b)
const median = added[Math.floor(PAIRS / 2)] ?? Number.NaN
await keepFigures(
  'first-start',
  [
    {
      what: 'the demo practice in the first start of npm start',
      measured: median,
      floor: null,
      ratio: null,
      unit: 'ms',
      toReach: `under ${TO_REACH_MS} ms`,
      reached: median < TO_REACH_MS,
    },
  ],
  { pairs },
)

async function startIn(settings: { readonly DEMO: string }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-'))
  try {
    const began = performance.now()
    const product = await startListener(NPM_START.program, {
      ...settings,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
    })
    const ms = performance.now() - began
    await product.stop()
    return ms
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
