import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run-tool.ts'

const CODE = ['src', 'sandbox', 'tests', 'e2e', 'tools', 'bench', 'migrations']
const TEXT = /\.(ts|tsx|js|mjs|css|sql)$/

test('docs/rules has each rule that the code cites, once', async () => {
  const pages = await readdir(join(ROOT, 'docs/rules'))
  const texts = await Promise.all(pages.map((page) => readFile(join(ROOT, 'docs/rules', page), 'utf8')))
  const rules = texts.flatMap((text) =>
    [...text.matchAll(/^- \*\*([A-Z]\d+)\*\* /gm)].map(([, rule]) => rule),
  )
  expect(rules.filter((rule, index) => rules.indexOf(rule) < index)).toEqual([])

  const files = await listCodeFiles()
  const unknown = await Promise.all(
    files.map(async (path) => {
      const cited = listCitedRules(await readFile(join(ROOT, path), 'utf8'))
      return cited.filter((rule) => !rules.includes(rule)).map((rule) => `${path}: ${rule}`)
    }),
  )
  expect(unknown.flat()).toEqual([])
})

test('a citation may have a list of rules, and may break within a comment', () => {
  expect(listCitedRules('/**\n * Source: rules P2, A10 and\n * P3.\n */')).toEqual(['P2', 'A10', 'P3'])
})

function listCitedRules(text: string): string[] {
  const joined = text.replaceAll(/\s*\n\s*(\*|\/\/|--)? ?/g, ' ')
  const citations = joined.matchAll(/\brules? ([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)\b/g)
  return [...citations].flatMap(([, rules]) => rules?.match(/[A-Z]\d+/g) ?? [])
}

async function listCodeFiles(): Promise<string[]> {
  const folders = CODE.map(async (folder) =>
    (await readdir(join(ROOT, folder), { recursive: true })).map((path) => `${folder}/${path}`),
  )
  return (await Promise.all(folders)).flat().filter((path) => TEXT.test(path))
}
