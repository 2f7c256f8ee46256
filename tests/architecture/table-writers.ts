import type { SourceFile } from './source-rules.ts'

/** Matches a file of an area, of a record (capturing the folder's name) or of the messages. */
const OWNER_FILE = /^src\/server\/(?:(?:records|areas)\/([^/]+)|messages)\/(?!.*[.]test[.]ts$)/

/**
 * Matches code that writes a table: a call of the query builder, or a statement in SQL text. It misses tables whose name is a
 * variable; housekeeping deletes outdated rows that way.
 */
const WRITES =
  /[.](?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(?<built>\w+)|\b(?:insert into|merge into|delete from|(?<!for |do |no key )update)\s+(?<sql>[a-z_]+)\b/g

/** Words that follow `update` in SQL without naming a table. */
const NO_TABLES: ReadonlySet<string> = new Set(['of', 'set', 'skip', 'nowait'])

/** A folder that writes a table which another folder owns, and the reason. */
export type ForeignWriter = { readonly table: string; readonly folder: string; readonly because: string }

/** Each entry gives the reason why the owner cannot write the table. */
export const FOREIGN_WRITERS: readonly ForeignWriter[] = [
  {
    table: 'appointments',
    folder: 'housekeeping',
    because: 'it deletes what has served its time, from whatever table',
  },
  {
    table: 'availability',
    folder: 'calendars',
    because: 'a new calendar is opened in the transaction that makes it, and opening hours know calendars',
  },
  {
    table: 'questions',
    folder: 'availability',
    because:
      'questions are copied in the statement that makes the ids of the copied types, which they refer to',
  },
]

/** Lists the tables that more than one folder writes, as `table: folder, folder`. */
export function listSharedTables(files: readonly SourceFile[], allowed: readonly ForeignWriter[]): string[] {
  const writers = listWriters(files)
  return [...writers].flatMap(([table, folders]) => {
    const owners = [...folders]
      .filter((folder) => !allowed.some((foreign) => foreign.table === table && foreign.folder === folder))
      .sort()
    return owners.length < 2 ? [] : [`${table}: ${owners.join(', ')}`]
  })
}

/** Lists exceptions that are no longer needed: the folder does not write the table, or no other folder does. */
export function listUnneededExceptions(
  files: readonly SourceFile[],
  allowed: readonly ForeignWriter[],
): ForeignWriter[] {
  const writers = listWriters(files)
  return allowed.filter(({ table, folder }) => {
    const folders = writers.get(table) ?? new Set()
    return !folders.has(folder) || folders.size < 2
  })
}

/** Maps each table to the folders that write it. */
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
