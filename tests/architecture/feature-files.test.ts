import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FILE_KINDS, listNeedlessNames, listUnknownNames, OWN_NAMES } from './feature-files.ts'
import { listSourceFiles } from './list-source-files.ts'
import { ROOT } from './run-tool.ts'

const A = 'src/server/features/a'

test.each([
  'payee.ts',
  'near-times.ts',
  'helpers.ts',
  'service.ts',
  'index.ts',
  'repository/rows.ts',
  'createCheckout.ts',
  'routes.tsx',
  // A name that another feature has for itself.
  'message-kinds.ts',
])('a file named %s is found', (name) => {
  expect(listUnknownNames([`${A}/${name}`])).toEqual([`${A}/${name}`])
})

test.each([
  'routes.ts',
  'webhook-routes.ts',
  'use-cases.ts',
  'owner-use-cases.ts',
  'repository.ts',
  'hold-repository.ts',
  'jobs.ts',
  'reminder-jobs.ts',
  'message-job.ts',
  'job-definitions.ts',
  'deps.ts',
  'payment-mail.ts',
  'logo-process.ts',
  'create-checkout.ts',
  'carry-out-action.ts',
  'to-mail-facts.ts',
  'one-person.test.ts',
])('a file named %s is fine', (name) => {
  expect(listUnknownNames([`${A}/${name}`])).toEqual([])
})

test('a feature may have the names that are listed as its own', () => {
  const { messages: [name = ''] = [] } = OWN_NAMES
  expect(listUnknownNames([`src/server/features/messages/${name}`])).toEqual([])
})

test('own names that no file has are found', () => {
  expect(listNeedlessNames([])).toHaveLength(Object.values(OWN_NAMES).flat().length)
})

test('every file of a feature in this project has a name of the vocabulary, and no name is left over', async () => {
  const paths = (await listSourceFiles()).map(({ path }) => path)
  expect(listUnknownNames(paths)).toEqual([])
  expect(listNeedlessNames(paths)).toEqual([])
})

test('the architecture page lists the vocabulary', async () => {
  const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8')
  expect(FILE_KINDS.filter(({ what }) => !page.includes(what))).toEqual([])
})
