/** The checks to run, by name, and the test files to run, by path. */
export type ChecksAndTests = { readonly steps: readonly string[]; readonly files: readonly string[] }

/**
 * Decides what `npm test -- <name>` runs. A word of a check's name (`types`, `lint`, `journeys`) selects those checks. Anything
 * else selects the test files with that text in their path: `holds`, `src/web`, `book.spec`.
 */
export function chooseChecks(name: string, { steps, files }: ChecksAndTests): ChecksAndTests {
  const chosen = steps.filter((step) => ` ${step} `.includes(` ${name} `))
  if (chosen.length > 0) return { steps: chosen, files: [] }
  return { steps: [], files: files.filter((file) => file.includes(name)) }
}

/** The message for a name that matches no check and no test file. */
export function explainUnknownName(name: string, { steps, files }: ChecksAndTests): string {
  const folders = new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))
  return [
    `There is no check and no test file with '${name}' in its name. The checks:`,
    ...steps.map((step) => `  ${step}`),
    'The folders with test files:',
    ...[...folders].sort().map((folder) => `  ${folder}`),
  ].join('\n')
}
