import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressAssets } from './compress-assets.ts'

test('what gains from it is written compressed beside itself, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-assets-'))
  const script = 'export const answer = 42\n'.repeat(200)
  await writeFile(join(folder, 'app.js'), script)
  await writeFile(join(folder, 'tiny.js'), 'export {}')
  await writeFile(join(folder, 'font.woff2'), 'x'.repeat(5_000))
  await compressAssets(folder)
  expect((await readdir(folder)).sort()).toEqual([
    'app.js',
    'app.js.br',
    'app.js.gz',
    'font.woff2',
    'tiny.js',
  ])
  expect(brotliDecompressSync(await readFile(join(folder, 'app.js.br'))).toString()).toBe(script)
  expect(gunzipSync(await readFile(join(folder, 'app.js.gz'))).toString()).toBe(script)
  await rm(folder, { recursive: true })
})
