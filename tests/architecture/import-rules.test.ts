import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Cruise, cruise } from './cruise.ts'
import { listFeatureCycles, listFeatureEdges, listForeignImports } from './feature-graph.ts'
import { ALLOWED_IMPORTS, EMPTY_PACKAGES, PLANTED_IMPORTS } from './planted-imports.ts'
import { type Tree, withPlantedTree } from './planted-tree.ts'
import { PUBLIC_FILES } from './public-files.ts'
import { ROOT } from './run-tool.ts'

const PARTS = ['src', 'sandbox']

describe('the import rules, on a planted tree', () => {
  let planted: Cruise
  beforeAll(async () => {
    const violations = PLANTED_IMPORTS.map(({ file, text, partner }) => ({ [file]: text, ...partner }))
    const tree: Tree = Object.assign({}, ALLOWED_IMPORTS, await surroundings(), ...violations)
    planted = await withPlantedTree(tree, (folder) => cruise(folder, ...PARTS))
  })

  test.each(PLANTED_IMPORTS)('$rule stops $file', ({ rule, file }) => {
    expect(rulesBrokenBy(file)).toEqual([rule])
  })

  test.each(Object.keys(ALLOWED_IMPORTS))('nothing stops %s', (file) => {
    expect(rulesBrokenBy(file)).toEqual([])
  })

  test('every rule is proven by a planted violation', () => {
    const proven = new Set(PLANTED_IMPORTS.map(({ rule }) => rule))
    expect(planted.rules.length).toBeGreaterThan(0)
    expect(planted.rules.filter(({ name }) => !proven.has(name))).toEqual([])
  })

  function rulesBrokenBy(file: string): string[] {
    expect(planted.modules.map(({ source }) => source)).toContain(file)
    const broken = planted.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name)
    return [...new Set(broken)]
  }
})

describe('the import rules, on this project', () => {
  let project: Cruise
  beforeAll(async () => {
    project = await cruise(ROOT, ...PARTS)
  })

  test('no rule is broken', () => {
    expect(project.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
  })

  test('no two features need each other, directly or in a circle', () => {
    expect(listFeatureEdges(project.modules).length).toBeGreaterThan(20)
    expect(listFeatureCycles(project.modules)).toEqual([])
  })

  test('no feature offers others what nobody needs', () => {
    const used = new Set(listForeignImports(project.modules))
    const offered = Object.entries(PUBLIC_FILES).flatMap(([feature, files]) =>
      files.map((file) => `src/server/features/${feature}/${file}`),
    )
    expect(offered.filter((file) => !used.has(file))).toEqual([])
  })

  test('every source file was looked at', async () => {
    const cruised = new Set(project.modules.map(({ source }) => source))
    const listed = await Promise.all(
      PARTS.map(async (part) =>
        (await readdir(join(ROOT, part), { recursive: true })).map(
          (path) => `${part}/${path.replaceAll('\\', '/')}`,
        ),
      ),
    )
    const files = listed.flat().filter((path) => /[.]tsx?$/.test(path) && !path.endsWith('.d.ts'))
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((path) => !cruised.has(path))).toEqual([])
  })
})

/** The project's own package.json (which says what is declared, and for what) and packages without content. */
async function surroundings(): Promise<Tree> {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8')
  const packages = EMPTY_PACKAGES.flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, ''],
    [`node_modules/${name}/plugins.js`, ''],
  ])
  return { 'package.json': manifest, ...Object.fromEntries(packages) }
}
