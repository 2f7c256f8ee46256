import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROBLEMS } from '#contract/shared/problem.ts'

const PATH = join(import.meta.dirname, '../docs/problems.md')

/** Writes `docs/problems.md` from the catalogue. With `--check`, only compares them, and fails when they differ. */
const rows = Object.entries(PROBLEMS).map(
  ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
)
const text = [
  '# Refusals',
  '',
  'Generated from `src/contract/shared/problem.ts` by `npm run openapi`. Every refusal of the API is',
  '`application/problem+json` (RFC 9457) with `code`, `status`, `title` (the sentence that people read) and, where',
  'fields were not valid, `errors` with a path and a message each.',
  '',
  '| code | status | title |',
  '|---|---|---|',
  ...rows,
  '',
].join('\n')

if (!process.argv.includes('--check')) {
  await writeFile(PATH, text)
  console.log('docs/problems.md written')
} else if ((await readFile(PATH, 'utf8').catch(() => '')) !== text) {
  console.error('docs/problems.md does not match the catalogue. Run: npm run openapi')
  process.exit(1)
} else {
  console.log('docs/problems.md matches the catalogue')
}
