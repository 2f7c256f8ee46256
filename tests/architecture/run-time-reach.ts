import type { CruiseResult } from './cruise.ts'

/**
 * Returns every module that a browser or Node loads when it runs the files whose path starts with `entry`, each with its shortest
 * import path. Type-only imports are left out, because they do not exist at run time.
 */
export function listModulesLoadedBy(
  cruise: CruiseResult,
  entry: string,
): ReadonlyMap<string, readonly string[]> {
  const dependencies = new Map(cruise.modules.map((module) => [module.source, module.dependencies]))
  const entries = cruise.modules.map(({ source }) => source).filter(isEntry)
  const ways = new Map<string, readonly string[]>(entries.map((source) => [source, [source]]))
  // A Map iterates over entries added during the loop, so this is a breadth-first search.
  for (const [source, way] of ways) {
    for (const { resolved, dependencyTypes } of dependencies.get(source) ?? []) {
      if (dependencyTypes.includes('type-only') || ways.has(resolved)) continue
      ways.set(resolved, [...way, resolved])
    }
  }
  return ways

  function isEntry(source: string): boolean {
    return source.startsWith(entry) && !/[.]test[.]tsx?$/.test(source)
  }
}

/** Lists the import paths from an entry to modules that match `forbidden`, each as `a -> b -> c`. */
export function findImportPathsTo(cruise: CruiseResult, entry: string, forbidden: RegExp): string[] {
  return [...listModulesLoadedBy(cruise, entry)]
    .filter(([source]) => forbidden.test(source))
    .map(([, way]) => way.join(' -> '))
}
