/** The fields of a change that have a value. An absent field stays as it is, and so does one that is undefined. */
export function definedFields<Fields extends object>(
  changes: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  // It has the fields of `changes`, and none that is undefined.
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
