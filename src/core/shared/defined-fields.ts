/** Drops undefined fields of a change, so that they do not overwrite stored values. */
export function omitUndefined<Fields extends object>(
  changes: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  // The result has the fields of `changes` except undefined ones.
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
