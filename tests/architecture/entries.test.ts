import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type CruiseResult, runDependencyCruiser } from './cruise.ts'
import { EMPTY_PACKAGES } from './planted-imports.ts'
import { withTemporaryFiles } from './planted-tree.ts'
import { findImportPathsTo, listModulesLoadedBy } from './run-time-reach.ts'
import { ROOT } from './run-tool.ts'

/** Libraries that a customer's phone does not need: the server validates input, and the booking page has only four paths. */
const TOO_BIG = /(^|\/)node_modules\/(zod|@hookform\/resolvers|@tanstack\/react-router|react-router)\//

let project: CruiseResult
beforeAll(async () => {
  project = await runDependencyCruiser(ROOT)
})

test('the booking entry downloads neither zod nor a router library', () => {
  expect(listModulesLoadedBy(project, 'src/web/entries/booking/').size).toBeGreaterThan(10)
  expect(findImportPathsTo(project, 'src/web/entries/booking/', TOO_BIG)).toEqual([])
})

test('nothing that a proof loads needs Vitest, because proofs run outside Vitest', {
  tags: ['slow'],
}, async () => {
  const proofs = await runDependencyCruiser(ROOT, 'tests/prove')
  const loaded = listModulesLoadedBy(proofs, 'tests/prove/')
  expect(loaded.size).toBeGreaterThan(100)
  const importers = proofs.modules.filter(({ source, dependencies }) =>
    dependencies.some(
      ({ resolved, dependencyTypes }) =>
        loaded.has(source) &&
        /node_modules\/vitest\//.test(resolved) &&
        !dependencyTypes.includes('type-only'),
    ),
  )
  // This file imports Vitest only when a test calls it.
  expect(importers.map(({ source }) => source)).toEqual(['tests/support/provided-value.ts'])
})

let planted: CruiseResult
beforeAll(async () => {
  const tree = {
    'package.json': JSON.stringify({
      imports: { '#web/*': './src/web/*', '#contract/*': './src/contract/*' },
      dependencies: { zod: '1.0.0' },
    }),
    'src/contract/words.ts': `import { z } from 'zod'\nexport type Word = z.infer<typeof word>\nconst word = z.string()`,
    'src/web/entries/booking/types-only.ts': `import type { Word } from '#contract/words.ts'\nexport type { Word } from '#contract/words.ts'`,
    'src/web/entries/booking/far.ts': `import '#web/areas/a/near.ts'`,
    'src/web/areas/a/near.ts': `export const later = () => import('#contract/words.ts')`,
    ...Object.fromEntries(EMPTY_PACKAGES.map((name) => [`node_modules/${name}/index.js`, ''])),
  }
  planted = await withTemporaryFiles(tree, (folder) => runDependencyCruiser(folder))
})

test('zod is found behind a feature and a late import', () => {
  expect(findImportPathsTo(planted, 'src/web/entries/booking/far.ts', TOO_BIG)).toEqual([
    'src/web/entries/booking/far.ts -> src/web/areas/a/near.ts -> src/contract/words.ts -> node_modules/zod/index.js',
  ])
})

test('types cost a visitor nothing', () => {
  expect(listModulesLoadedBy(planted, 'src/web/entries/booking/types-only.ts').size).toBe(1)
  expect(findImportPathsTo(planted, 'src/web/entries/booking/types-only.ts', TOO_BIG)).toEqual([])
})

/** Tailwind generates CSS only for classes in these folders (`@source`). */
test.each(['booking', 'site'])('the styles of the %s entry cover every part that it shows', async (entry) => {
  const css = `src/web/entries/${entry}/${entry}.css`
  const folders = [...(await readFile(join(ROOT, css), 'utf8')).matchAll(/@source "([^"]+)"/g)].map(
    ([, path = '']) => normalize(join(dirname(css), path, '/')),
  )
  const shown = [...listModulesLoadedBy(project, `src/web/entries/${entry}/`)]
    .map(([source]) => source)
    .filter((source) => source.startsWith('src/web/'))
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter((source) => !folders.some((folder) => source.startsWith(folder)))).toEqual([])
})
