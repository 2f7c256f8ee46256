import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listCitedRules, listOutsideSources, listRuleProblems, type TextFile } from './rule-citations.ts'
import { ROOT } from './run-tool.ts'

const CODE = ['src', 'tests', 'e2e', 'tools', 'bench', 'migrations']
const TEXT = /\.(ts|tsx|js|mjs|css|sql|md)$/
/** These two quote citations that are wrong. */
const OWN_FILES = ['tests/architecture/rule-citations.ts', 'tests/architecture/rule-citations.test.ts']

describe('the rules of docs/domain.md, on planted texts', () => {
  const domain = {
    path: 'docs/domain.md',
    text: '- **B1** One.\n- **B2** Two, unlike rule B1.\n- **T1** Three.\n',
  }
  const citing = (text: string): TextFile => ({ path: 'src/core/a.ts', text })
  const all = '/** Source: rules B1, B2 and T1. */'

  test('a citation of each rule is fine', () => {
    expect(listRuleProblems(domain, [citing(all)])).toEqual([])
  })

  test('a cited rule that does not exist is found', () => {
    expect(listRuleProblems(domain, [citing(`${all}\n// Source: rule B3.`)])).toEqual([
      'src/core/a.ts cites rule B3, which does not exist',
    ])
  })

  test('a rule that names another one which does not exist is found', () => {
    const wrong = { ...domain, text: `${domain.text}- **T2** As rule T9.\n` }
    expect(listRuleProblems(wrong, [citing(`${all} // rule T2`)])).toEqual([
      'docs/domain.md cites rule T9, which does not exist',
    ])
  })

  test('a rule that nothing cites is found', () => {
    expect(listRuleProblems(domain, [citing('/** Source: rules B1 and T1. */')])).toEqual([
      'nothing cites rule B2',
    ])
  })

  test('a number that is given twice or left out is found', () => {
    const twice = { ...domain, text: '- **B1** One.\n- **B1** Two.\n- **B3** Three.\n' }
    expect(listRuleProblems(twice, [citing('// rules B1 and B3')])).toEqual(['rule B1 should be B2'])
  })

  test.each([
    ['one rule', '/** Until when a hold lasts (rule P2). */', ['P2']],
    ['a line that breaks between them', '/**\n * Source: rules P2 and\n * P3.\n */', ['P2', 'P3']],
    ['a line that breaks after the word', '// Nobody is told. Source: rule\n// P7.', ['P7']],
    ['a list', '-- rules A1, A2 and P10', ['A1', 'A2', 'P10']],
    ['a word that is no citation', '// By the rules of a zone; overrule B4; ruler T1.', []],
  ])('%s is read', (_what, text, rules) => {
    expect(listCitedRules(citing(text))).toEqual(rules)
  })

  test.each([
    '/** Source: spec §4 "Booking". */',
    '// as the specification §9 says',
    ' * none (scheduling rule 8).',
    ' * Source: scheduling-rules 4.',
    ' * Source: decided question "Idempotency keys".',
    '// the columns by name (§3)',
  ])('a document that is not here is found: %s', (line) => {
    expect(listOutsideSources([citing(`const fine = 1\n${line}\n`)])).toEqual(['src/core/a.ts:2'])
  })

  test.each(['// Source: RFC 5545 §3.3.5.', '// WCAG 2.2 §1.4.11', '// the scheduling rules of a calendar'])(
    'a public standard, or a plain word, is fine: %s',
    (line) => {
      expect(listOutsideSources([citing(line)])).toEqual([])
    },
  )
})

test('each cited rule exists, and each rule is cited', async () => {
  const files = await listTexts(CODE)
  expect(files.length).toBeGreaterThan(500)
  const domain = await readText('docs/domain.md')
  expect(listRuleProblems(domain, files)).toEqual([])
})

test('nothing cites a document that is not in the repository', async () => {
  // A migration that was applied never changes, not even its comments: its hash is in the database.
  const files = await listTexts([...CODE.filter((folder) => folder !== 'migrations'), 'docs'])
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  expect(listOutsideSources([...files, ...(await Promise.all(pages.map(readText)))])).toEqual([])
})

async function listTexts(folders: readonly string[]): Promise<TextFile[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const inside = await readdir(join(ROOT, folder), { recursive: true })
      return inside.map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    }),
  )
  const texts = paths.flat().filter((path) => TEXT.test(path) && !OWN_FILES.includes(path))
  return Promise.all(texts.map(readText))
}

async function readText(path: string): Promise<TextFile> {
  return { path, text: await readFile(join(ROOT, path), 'utf8') }
}
