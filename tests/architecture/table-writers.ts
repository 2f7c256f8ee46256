import type { SourceFile } from './source-rules.ts'

/** A file of an area, a record (with its name) or the messages. */
const OWNER_FILE = /^src\/server\/(?:(?:records|areas)\/([^/]+)|messages)\/(?!.*[.]test[.]ts$)/

/**
 * What writes a table: a call of the query builder, or a statement in SQL text. A table whose name is an argument is not seen;
 * housekeeping deletes outdated rows so.
 */
const WRITES =
  /[.](?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(?<built>\w+)|\b(?:insert into|merge into|delete from|(?<!for |do |no key )update)\s+(?<sql>[a-z_]+)\b/g

/** The keys of a statement that follow `update` where it names no table. */
const NO_TABLES: ReadonlySet<string> = new Set(['of', 'set', 'skip', 'nowait'])

/** A folder writes a table that another one owns. */
export type ForeignWriter = { readonly table: string; readonly folder: string; readonly because: string }

/** Each says why it cannot be the owner who writes. */
export const FOREIGN_WRITERS: readonly ForeignWriter[] = [
  {
    table: 'appointments',
    folder: 'housekeeping',
    because: 'it deletes what has served its time, from whatever table',
  },
  {
    table: 'customers',
    folder: 'housekeeping',
    because: 'with an ended hold goes the customer who left an address for nothing else',
  },
  {
    table: 'availability',
    folder: 'calendars',
    because: 'a new calendar is opened in the transaction that makes it, and opening hours know calendars',
  },
]

/** The tables that more than one folder writes, as `table: folder, folder`. */
export function listSharedTables(files: readonly SourceFile[], allowed: readonly ForeignWriter[]): string[] {
  const writers = listWriters(files)
  return [...writers].flatMap(([table, folders]) => {
    const owners = [...folders]
      .filter((folder) => !allowed.some((foreign) => foreign.table === table && foreign.folder === folder))
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
  return allowed.filter(({ table, folder }) => {
    const folders = writers.get(table) ?? new Set()
    return !folders.has(folder) || folders.size < 2
  })
}

/** The folders that write each table. */
export function listWriters(files: readonly SourceFile[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const owner = OWNER_FILE.exec(path)
    if (owner === null) continue
    const folder = owner[1] ?? 'messages'
    for (const { groups } of withoutComments(text).matchAll(WRITES)) {
      const { built, sql } = groups ?? {}
      const table = built ?? sql ?? ''
      if (NO_TABLES.has(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(folder))
    }
  }
  return writers
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
