import { existsSync } from 'node:fs'
import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runScript } from './run-script.ts'

async function writeScript(source: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'meridian-script-')), 'script.mjs')
  await writeFile(path, source)
  return path
}

test('what a script prints is kept, and its exit code says whether all is well', async () => {
  expect(await runScript([await writeScript("console.log('done')")])).toEqual({ ok: true, output: 'done\n' })
  expect(await runScript([await writeScript('process.exit(1)')])).toEqual({ ok: false, output: '' })
})

test('a script that never ends is ended together with what it has started', async () => {
  const beats = join(await mkdtemp(join(tmpdir(), 'meridian-script-')), 'beats')
  const beat = `setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(beats)}, '.'), 20)`
  const script = await writeScript(`
    import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', ${JSON.stringify(beat)}])
    setInterval(() => {}, 1000)
  `)
  // On a busy machine, the limit can end the script before it has started its child. Retries with a longer limit.
  for (let limitMs = 1_000; !existsSync(beats); limitMs *= 2) {
    const { ok, output } = await runScript([script], { limitMs })
    expect(ok).toBe(false)
    expect(output).toContain('It was ended because it took longer')
  }
  const { size } = await stat(beats)
  expect(size).toBeGreaterThan(0)
  await pause(500)
  expect((await stat(beats)).size).toBe(size)
})
