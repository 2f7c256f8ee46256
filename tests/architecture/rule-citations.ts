export type TextFile = { readonly path: string; readonly text: string }

/** The rules that `docs/domain.md` defines, in its order: `- **B4** …`. */
function listRules(domain: string): string[] {
  return [...domain.matchAll(/^- \*\*([A-Z]\d+)\*\* /gm)].map(([, rule]) => rule ?? '')
}

/** Each rule that a file cites, as in "rule B4" or "rules B4, B5 and T1", also where a comment breaks the line. */
export function listCitedRules({ text }: TextFile): string[] {
  const joined = text.replaceAll(/\s*\n\s*(\*|\/\/|--)? ?/g, ' ')
  const citations = joined.matchAll(/\brules? ([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)\b/g)
  return [...citations].flatMap(([, rules]) => (rules ?? '').match(/[A-Z]\d+/g) ?? [])
}

/** What is wrong between the rules and those who cite them, each in a sentence. */
export function listRuleProblems(domain: TextFile, files: readonly TextFile[]): string[] {
  const rules = listRules(domain.text)
  const known = new Set(rules)
  const cited = new Set(files.flatMap(listCitedRules))
  return [
    ...listMisnumbered(rules),
    ...[domain, ...files].flatMap((file) =>
      listCitedRules(file)
        .filter((rule) => !known.has(rule))
        .map((rule) => `${file.path} cites rule ${rule}, which does not exist`),
    ),
    ...rules.filter((rule) => !cited.has(rule)).map((rule) => `nothing cites rule ${rule}`),
  ]
}

/** The rules of a section are numbered from 1 without a gap, so that a number names one rule. */
function listMisnumbered(rules: readonly string[]): string[] {
  const last = new Map<string, number>()
  return rules.flatMap((rule) => {
    const section = rule.slice(0, 1)
    const expected = (last.get(section) ?? 0) + 1
    last.set(section, expected)
    return rule === `${section}${expected}` ? [] : [`rule ${rule} should be ${section}${expected}`]
  })
}

/** Documents that are not in the repository: who cites them leaves the reader without the rule. */
const ABSENT_DOCUMENTS =
  /\bspec(ification)?,? ?§|\(§\d|scheduling[- ]rules? ?\d|decided questions?|settled\.md/i

/** The lines that cite a document outside of the repository, each as `path:line`. */
export function listOutsideSources(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (ABSENT_DOCUMENTS.test(line) ? [`${path}:${index + 1}`] : [])),
  )
}
