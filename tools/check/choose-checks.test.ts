import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseChecks, explainUnknownName } from './choose-checks.ts'

const CHECKS = {
  steps: ['formatting and lint', 'types of core', 'types of web', 'race tests', 'journeys in a browser'],
  files: [
    'src/server/areas/appointments/holds/routes.test.ts',
    'src/server/areas/availability/appointment-types/routes.test.ts',
    'tests/races/holds.test.ts',
    'e2e/journeys/book.spec.ts',
  ],
}

test.each([
  { name: 'types', steps: ['types of core', 'types of web'] },
  { name: 'types of web', steps: ['types of web'] },
  { name: 'lint', steps: ['formatting and lint'] },
  { name: 'journeys', steps: ['journeys in a browser'] },
])('$name means the checks with that word in their name, and no file', ({ name, steps }) => {
  expect(chooseChecks(name, CHECKS)).toEqual({ steps, files: [] })
})

test.each([
  {
    name: 'holds',
    files: ['src/server/areas/appointments/holds/routes.test.ts', 'tests/races/holds.test.ts'],
  },
  { name: 'appointment-type', files: ['src/server/areas/availability/appointment-types/routes.test.ts'] },
  { name: 'book.spec', files: ['e2e/journeys/book.spec.ts'] },
  { name: 'tests/races', files: ['tests/races/holds.test.ts'] },
])('$name means the test files with it in their path', ({ name, files }) => {
  expect(chooseChecks(name, CHECKS)).toEqual({ steps: [], files })
})

test('a name that nothing has leads to the list of those there are', () => {
  expect(chooseChecks('hodls', CHECKS)).toEqual({ steps: [], files: [] })
  const lines = explainUnknownName('hodls', CHECKS).split('\n')
  expect(lines[0]).toContain("'hodls'")
  expect(lines).toEqual(expect.arrayContaining([...CHECKS.steps.map((step) => `  ${step}`), '  tests/races']))
})

test('`npm test -- <name>` runs that alone', async () => {
  const { exitCode, output } = await check('licences')
  expect(output).toMatch(/^ok +[\d.]+ s {2}licences that go with ours$/m)
  expect(output.match(/^(ok|FAILED) /gm)).toHaveLength(1)
  expect(exitCode).toBe(0)
})

test('`npm test -- <name>` with a name that nothing has fails, with the list', async () => {
  const { exitCode, output } = await check('hodls')
  expect(output).toContain("There is no check and no test file with 'hodls' in its name.")
  expect(output).toContain('  src/server/areas/appointments/holds\n')
  expect(output).toContain('  e2e/journeys\n')
  expect(exitCode).toBe(1)
})

function check(name: string): Promise<{ exitCode: number | null; output: string }> {
  const tool = join(import.meta.dirname, '../check.ts')
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [tool, name], (_error, output) =>
      resolve({ exitCode: child.exitCode, output }),
    )
  })
}
