import type { SourceFile } from './source-rules.ts'

const FEATURE_FILE = /^src\/server\/features\/([^/]+)\/(?!.*[.]test[.]ts$)/

/**
 * What writes a table: a call of the query builder, or a statement in SQL text. A table whose name is an argument is not seen;
 * housekeeping deletes outdated rows so.
 */
const WRITES =
  /[.](?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(?<built>\w+)|\b(?:insert into|merge into|delete from|(?<!for |do |no key )update)\s+(?<sql>[a-z_]+)\b/g

/** The keys of a statement that follow `update` where it names no table. */
const NO_TABLES: ReadonlySet<string> = new Set(['of', 'set', 'skip', 'nowait'])

/** A feature writes a table that another one owns. */
export type ForeignWriter = { readonly table: string; readonly feature: string; readonly because: string }

/** Each says why it cannot be the owner who writes. */
export const FOREIGN_WRITERS: readonly ForeignWriter[] = [
  {
    table: 'appointments',
    feature: 'housekeeping',
    because: 'it deletes what has served its time, from whatever table',
  },
  {
    table: 'customers',
    feature: 'housekeeping',
    because: 'with an ended hold goes the customer who left an address for nothing else',
  },
  {
    table: 'availability',
    feature: 'calendars',
    because: 'a new calendar is opened in the transaction that makes it, and opening hours know calendars',
  },
  {
    table: 'appointment_types',
    feature: 'locations',
    because: 'a location that is taken from a calendar leaves its types as well, and types know locations',
  },
]

/** The tables that more than one feature writes, each with the features, as `table: feature, feature`. */
export function listSharedTables(files: readonly SourceFile[], allowed: readonly ForeignWriter[]): string[] {
  const writers = listWriters(files)
  return [...writers].flatMap(([table, features]) => {
    const owners = [...features]
      .filter((feature) => !allowed.some((foreign) => foreign.table === table && foreign.feature === feature))
      .sort()
    return owners.length < 2 ? [] : [`${table}: ${owners.join(', ')}`]
  })
}

/** Entries for what is not written (any more), or by nobody else. */
export function listNeedlessEntries(
  files: readonly SourceFile[],
  allowed: readonly ForeignWriter[],
): ForeignWriter[] {
  const writers = listWriters(files)
  return allowed.filter(({ table, feature }) => {
    const features = writers.get(table) ?? new Set()
    return !features.has(feature) || features.size < 2
  })
}

/** Which features write which table. */
export function listWriters(files: readonly SourceFile[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const feature = FEATURE_FILE.exec(path)?.[1]
    if (feature === undefined) continue
    for (const { groups } of withoutComments(text).matchAll(WRITES)) {
      const { built, sql } = groups ?? {}
      const table = built ?? sql ?? ''
      if (NO_TABLES.has(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(feature))
    }
  }
  return writers
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
