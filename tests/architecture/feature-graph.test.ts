import { describe, expect, test } from 'vitest'
import { listFeatureCycles } from './feature-graph.ts'

const FEATURES = 'src/server/features'

describe('cycles between features, on planted imports', () => {
  test('two features that need each other are found, though no two of their files do', () => {
    const imports = [
      plant('bookings/use-cases.ts', 'messages/use-cases.ts'),
      plant('messages/jobs.ts', 'bookings/find-details.ts'),
    ]
    expect(listFeatureCycles(imports)).toEqual([
      `bookings -> messages (${FEATURES}/bookings/use-cases.ts) -> bookings (${FEATURES}/messages/jobs.ts)`,
    ])
  })

  test('a cycle over three features is found once', () => {
    const imports = [
      plant('b/use-cases.ts', 'c/use-cases.ts'),
      plant('c/use-cases.ts', 'a/use-cases.ts'),
      plant('a/use-cases.ts', 'b/use-cases.ts', 'd/use-cases.ts'),
    ]
    expect(listFeatureCycles(imports)).toHaveLength(1)
  })

  test.each([
    ['a feature that is used by two', [plant('a/x.ts', 'c/y.ts'), plant('b/x.ts', 'c/y.ts', 'a/x.ts')]],
    ['files of one feature', [plant('a/x.ts', 'a/y.ts'), plant('a/y.ts', 'a/z.ts')]],
    ['what tests import', [plant('a/x.ts', 'b/y.ts'), plant('b/y.test.ts', 'a/x.ts')]],
  ])('%s is no cycle', (_what, imports) => {
    expect(listFeatureCycles(imports)).toEqual([])
  })
})

function plant(file: string, ...imported: readonly string[]) {
  return {
    source: `${FEATURES}/${file}`,
    dependencies: imported.map((path) => ({ resolved: `${FEATURES}/${path}` })),
  }
}
