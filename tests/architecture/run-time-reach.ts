import type { Cruise } from './cruise.ts'

/**
 * Everything that a browser or Node loads when it runs the files whose path starts with `entry`, each with the
 * shortest way there. Imports of types only are left out: they are gone at run time.
 */
export function loadedFrom(cruise: Cruise, entry: string): ReadonlyMap<string, readonly string[]> {
  const dependencies = new Map(cruise.modules.map((module) => [module.source, module.dependencies]))
  const entries = cruise.modules.map(({ source }) => source).filter(isEntry)
  const ways = new Map<string, readonly string[]>(entries.map((source) => [source, [source]]))
  // A Map is read in the order it grows in, so this goes outward one import at a time.
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

/** The ways from an entry to packages that match, each as `a -> b -> c`. */
export function findPathsTo(cruise: Cruise, entry: string, forbidden: RegExp): string[] {
  return [...loadedFrom(cruise, entry)]
    .filter(([source]) => forbidden.test(source))
    .map(([, way]) => way.join(' -> '))
}
