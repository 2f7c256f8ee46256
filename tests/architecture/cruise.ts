import { join } from 'node:path'
import { ROOT, runTool } from './run-tool.ts'

type Dependency = {
  readonly resolved: string
  readonly dependencyTypes: readonly string[]
}
type Module = { readonly source: string; readonly dependencies: readonly Dependency[] }
type Rule = { readonly name: string }
type Violation = { readonly from: string; readonly to: string; readonly rule: Rule }

/** The modules that dependency-cruiser found, the rules it applied, and the violations. */
export type CruiseResult = {
  readonly modules: readonly Module[]
  readonly rules: readonly Rule[]
  readonly violations: readonly Violation[]
}

/**
 * Runs dependency-cruiser with the project's rules over the `src` of a folder, or over other parts of the folder.
 * @throws Error when it could not run (broken rules, a file that does not parse)
 */
export async function runDependencyCruiser(
  folder: string,
  ...parts: readonly string[]
): Promise<CruiseResult> {
  const config = join(ROOT, '.dependency-cruiser.mjs')
  const ran = await runTool(
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    [...(parts.length === 0 ? ['src'] : parts), '--config', config, '--output-type', 'json'],
    folder,
  )
  if (!ran.stdout.startsWith('{'))
    throw new Error(`dependency-cruiser did not run: ${ran.stdout}${ran.stderr}`)
  // This is dependency-cruiser's documented result. If it changed, the tests that plant violations would fail.
  const { modules, summary } = JSON.parse(ran.stdout) as {
    modules: Module[]
    summary: { violations: Violation[]; ruleSetUsed: { forbidden: Rule[] } }
  }
  return { modules, rules: summary.ruleSetUsed.forbidden, violations: summary.violations }
}
