/**
 * Selects the requested fields of a response: `a,b(c,d),e/f`. Applies to each item of an array, and ignores missing fields.
 * Source: https://developers.google.com/workspace/calendar/api/guides/performance#partial-response
 */
export function selectResponseFields(value: unknown, fields: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => selectResponseFields(inner, fields))
  if (typeof value !== 'object' || value === null) return value
  const selected: Record<string, unknown> = {}
  for (const field of splitAtTop(fields)) {
    const [, name = '', path, group] = /^(\w+)(?:\/(.+)|\((.+)\))?$/.exec(field) ?? []
    const inner: unknown = Object.entries(value).find(([key]) => key === name)?.[1]
    if (inner === undefined) continue
    const within = path ?? group
    selected[name] = within === undefined ? inner : selectResponseFields(inner, within)
  }
  return selected
}

/** Splits a field list at the commas outside of parentheses. */
function splitAtTop(fields: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of fields) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${character}`)
  }
  return parts
}
