/** A file of a feature, with the files that it imports, as dependency-cruiser lists them. */
type Module = { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] }

/** One feature imports another; the file in which it does so first. */
type Edge = { readonly from: string; readonly to: string; readonly file: string }

const FEATURE_FILE = /^src\/server\/features\/([^/]+)\/(?!.*[.]test[.]ts$)/

/** Which feature imports which, with one file for each pair. Types count too. Tests may import anything. */
export function listFeatureEdges(modules: readonly Module[]): Edge[] {
  const edges = modules.flatMap(({ source, dependencies }) => {
    const from = featureOf(source)
    const others = dependencies.map(({ resolved }) => featureOf(resolved))
    return others.flatMap((to) =>
      from === null || to === null || from === to ? [] : [{ from, to, file: source }],
    )
  })
  return [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()]
}

/** The files of features that another feature imports. */
export function listForeignImports(modules: readonly Module[]): string[] {
  return modules.flatMap(({ source, dependencies }) => {
    const from = featureOf(source)
    const files = dependencies.map(({ resolved }) => resolved)
    return from === null ? [] : files.filter((file) => featureOf(file) !== from)
  })
}

/**
 * The cycles between features, each as `a -> b -> a` with the files that close it. `no-cycles` sees cycles between files;
 * two features can need each other without one.
 */
export function listFeatureCycles(modules: readonly Module[]): string[] {
  const edges = listFeatureEdges(modules)
  return edges.flatMap((edge) => {
    const way = findWay(edges, edge.to, edge.from)
    // Each cycle is told once, from its first feature by name.
    if (way === null || [edge.from, ...way.map(({ from }) => from)].sort()[0] !== edge.from) return []
    const steps = [edge, ...way].map(({ to, file }) => `${to} (${file})`)
    return [`${edge.from} -> ${steps.join(' -> ')}`]
  })
}

/** The shortest way from one feature to another. */
function findWay(edges: readonly Edge[], from: string, to: string): Edge[] | null {
  const ways = new Map<string, Edge[]>([[from, []]])
  for (const [feature, way] of ways) {
    if (feature === to) return way
    for (const edge of edges) {
      if (edge.from === feature && !ways.has(edge.to)) ways.set(edge.to, [...way, edge])
    }
  }
  return null
}

function featureOf(path: string): string | null {
  return FEATURE_FILE.exec(path)?.[1] ?? null
}
