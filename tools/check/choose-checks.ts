/** What there is to run: checks by their names, and files with tests by their paths. */
export type Checks = { readonly steps: readonly string[]; readonly files: readonly string[] }

/**
 * Decides what `npm test -- <name>` runs. A word of a check's name (`types`, `lint`, `journeys`) means those checks. Anything
 * else means the test files that have it in their path: `holds`, `src/web`, `book.spec`.
 */
export function chooseChecks(name: string, { steps, files }: Checks): Checks {
  const chosen = steps.filter((step) => ` ${step} `.includes(` ${name} `))
  if (chosen.length > 0) return { steps: chosen, files: [] }
  return { steps: [], files: files.filter((file) => file.includes(name)) }
}

/** What to say when nothing has that name. */
export function explainNames(name: string, { steps, files }: Checks): string {
  const folders = new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))
  return [
    `There is no check and no test file with '${name}' in its name. The checks:`,
    ...steps.map((step) => `  ${step}`),
    'The folders with test files:',
    ...[...folders].sort().map((folder) => `  ${folder}`),
  ].join('\n')
}
