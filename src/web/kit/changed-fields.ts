type Fields = Readonly<Record<string, unknown>>

/** Lists the fields in which two states of a form or record differ. Treats null and an empty text as equal. */
export function listDifferingFields<State extends Fields>(
  state: State,
  other: Fields,
): (keyof State & string)[] {
  return Object.keys(state).filter((field) => !isSame(state[field] ?? '', other[field] ?? ''))
}

/** Compares objects and arrays by value. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** Returns some fields of a state. */
function pickFields<State extends Fields>(
  state: State,
  fields: readonly (keyof State & string)[],
): Partial<State> {
  const picked = fields.map((field) => [field, state[field]])
  return Object.fromEntries(picked) as Partial<State> // a subset of the state's fields
}

/** Returns the changed fields of a form and, as `was`, the values that the form first showed for them. */
export function toPartialUpdate<Values extends Fields, Was extends Record<keyof Values, unknown>>(
  values: Values,
  was: Was,
) {
  const changed = listDifferingFields(values, was)
  return { changes: pickFields(values, changed), was: pickFields<Was>(was, changed) }
}

/** Three states of a form: the stored values, the values first shown, and the typed values. */
type States<Values> = { stored: Values; was: Values; typed: Values }

/**
 * Merges a form three ways after somebody else has saved the record. `values`: edited fields keep the typed value, and all others
 * take the stored value. `differing`: fields whose stored value is new and differs from the typed value.
 */
export function mergeConcurrentChange<Values extends Fields>({ stored, was, typed }: States<Values>) {
  const touched = listDifferingFields(typed, was)
  const differing = listDifferingFields(stored, was).filter((field) =>
    listDifferingFields(stored, typed).includes(field),
  )
  return { values: { ...stored, ...pickFields(typed, touched) }, differing }
}
