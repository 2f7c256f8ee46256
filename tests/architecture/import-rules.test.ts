import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { AREA_ARROWS, AREAS } from './area-arrows.ts'
import { type CruiseResult, runDependencyCruiser } from './cruise.ts'
import { ALLOWED_IMPORTS, EMPTY_PACKAGES, PLANTED_IMPORTS } from './planted-imports.ts'
import { type FileContents, withTemporaryFiles } from './planted-tree.ts'
import { ROOT } from './run-tool.ts'

const PARTS = ['src', 'sandbox']

describe('the import rules, on a planted tree', () => {
  let planted: CruiseResult
  beforeAll(async () => {
    const violations = PLANTED_IMPORTS.map(({ file, text, partner }) => ({ [file]: text, ...partner }))
    const tree: FileContents = Object.assign({}, ALLOWED_IMPORTS, await surroundings(), ...violations)
    planted = await withTemporaryFiles(tree, (folder) => runDependencyCruiser(folder, ...PARTS))
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
  let project: CruiseResult
  beforeAll(async () => {
    project = await runDependencyCruiser(ROOT, ...PARTS)
  })

  test('no rule is broken', () => {
    expect(project.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
  })

  test('every area is in the table of areas', () => {
    const areas = project.modules.flatMap(({ source }) => areaOf(source) ?? [])
    expect([...new Set(areas)].sort()).toEqual([...AREAS].sort())
  })

  test('every arrow between areas is needed', () => {
    const used = new Set(
      project.modules
        .filter(({ source }) => !source.endsWith('.test.ts'))
        .flatMap(({ source, dependencies }) =>
          dependencies.map(({ resolved }) => `${areaOf(source)} -> ${areaOf(resolved)}`),
        ),
    )
    expect(AREA_ARROWS.filter(({ from, to }) => !used.has(`${from} -> ${to}`))).toEqual([])
  })

  test('docs/architecture.md shows the same arrows, with the same reasons', async () => {
    const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| `([a-z-]+)` \| (.+) \|$/gm)]
    expect(rows.map(([, from, to, because]) => ({ from, to, because }))).toEqual(AREA_ARROWS)
  })

  test('no area needs itself through others', () => {
    const reach = (area: string): string[] =>
      AREA_ARROWS.filter(({ from }) => from === area).flatMap(({ to }) => [to, ...reach(to)])
    expect(AREAS.filter((area) => reach(area).includes(area))).toEqual([])
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

function areaOf(path: string): string | null {
  return /^src[/]server[/]areas[/]([^/]+)[/]/.exec(path)?.[1] ?? null
}

/** The project's own package.json, which declares the dependencies and their kinds, and empty packages. */
async function surroundings(): Promise<FileContents> {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8')
  const packages = EMPTY_PACKAGES.flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, ''],
    [`node_modules/${name}/plugins.js`, ''],
  ])
  return { 'package.json': manifest, ...Object.fromEntries(packages) }
}
