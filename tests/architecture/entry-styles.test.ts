import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { cruise } from './cruise.ts'
import { loadedFrom } from './run-time-reach.ts'
import { ROOT } from './run-tool.ts'

/** Tailwind makes rules for the classes of these folders only (`@source`). */
test.each(['booking', 'site'])('the styles of the %s entry cover every part that it shows', async (entry) => {
  const css = `src/web/${entry}/${entry}.css`
  const folders = [...(await readFile(join(ROOT, css), 'utf8')).matchAll(/@source "([^"]+)"/g)].map(
    ([, path = '']) => normalize(join(dirname(css), path, '/')),
  )
  const shown = [...loadedFrom(await cruise(ROOT), `src/web/${entry}/`)]
    .map(([source]) => source)
    .filter((source) => source.startsWith('src/web/'))
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter((source) => !folders.some((folder) => source.startsWith(folder)))).toEqual([])
})
