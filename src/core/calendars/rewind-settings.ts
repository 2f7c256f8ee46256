/** A stored row of a table with settings, by its columns. */
export type SettingRow = Readonly<Record<string, unknown>>

/** Rows by the name of their table. */
export type SettingTables = Readonly<Record<string, readonly SettingRow[]>>

/** A recorded change of a row: all of its columns, or only those that changed. */
export type RecordedChange = {
  readonly what: string
  readonly row_key: string
  /** Null when the row was added. */
  readonly before: SettingRow | null
}

/**
 * Returns the rows of settings as they were before some changes, given the rows after them. The changes are in order, newest
 * first. Source: rule T78.
 */
export function rewindSettings(present: SettingTables, changes: readonly RecordedChange[]): SettingTables {
  const tables = new Map(
    Object.entries(present).map(([table, rows]) => [
      table,
      new Map(rows.map((row) => [String(row.id), row])),
    ]),
  )
  for (const { what, row_key: key, before } of changes) {
    const rows = tables.get(what)
    if (before === null) rows?.delete(key)
    else rows?.set(key, { ...rows.get(key), ...before })
  }
  return Object.fromEntries([...tables].map(([table, rows]) => [table, [...rows.values()]]))
}
