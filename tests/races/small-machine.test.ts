// @module-tag slow
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NPM_START } from '#tests/support/npm-start.ts'
import { makePracticeFolder } from '#tests/support/practice-folder.ts'
import { startServer } from '#tests/support/server-process.ts'

/** Maximum memory use. A server with 1 GB has room for this and for its operating system. */
const PEAK_LIMIT_MIB = 600
const IDLE_LIMIT_MIB = 450
/**
 * Wait after the start, in milliseconds. V8 then optimises the functions that the start called most, which takes more memory than
 * anything before.
 */
const SETTLING_MS = 5_000

test.runIf(process.platform === 'linux')(
  '`npm start` on existing data takes 600 MB of memory at its peak, and 450 MB after it, at most',
  async () => {
    const practice = await makePracticeFolder()
    const server = await startServer(practice.dataDir, {}, NPM_START.program)
    await pause(SETTLING_MS)
    const { nowBytes, peakBytes } = await server.memory()
    expect((await server.end('SIGTERM')).code).toBe(0)
    await practice.remove()
    const [nowMib, peakMib] = [nowBytes / 2 ** 20, peakBytes / 2 ** 20]
    process.stdout.write(`  memory: ${Math.round(peakMib)} MiB at its peak, then ${Math.round(nowMib)} MiB\n`)
    expect(peakMib).toBeLessThanOrEqual(PEAK_LIMIT_MIB)
    expect(nowMib).toBeLessThanOrEqual(IDLE_LIMIT_MIB)
  },
)
