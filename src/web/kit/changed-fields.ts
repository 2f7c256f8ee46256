type Fields = Readonly<Record<string, unknown>>

/**
 * The fields in which one state of a form, or of a record, differs from the other. Null and an empty text are equal.
 */
export function listDiffering<State extends Fields>(one: State, other: Fields): (keyof State & string)[] {
  return Object.keys(one).filter((field) => !isSame(one[field] ?? '', other[field] ?? ''))
}

/** Objects and lists are compared by what is in them. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]))
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** Some fields of a state. */
function pickFields<State extends Fields>(
  state: State,
  fields: readonly (keyof State & string)[],
): Partial<State> {
  const picked = fields.map((field) => [field, state[field]])
  return Object.fromEntries(picked) as Partial<State> // fields of this state, with its values
}

/** The request of a form: the changed fields, and as `was` what the form showed of exactly these. */
export function toSentChanges<Values extends Fields, Was extends Record<keyof Values, unknown>>(
  values: Values,
  was: Was,
) {
  const changed = listDiffering(values, was)
  return { changes: pickFields(values, changed), was: pickFields<Was>(was, changed) }
}

/** Three states of a form's fields: what is stored now, what the form showed, and what is typed. */
type States<Values> = { stored: Values; was: Values; typed: Values }

/**
 * The new state of a form after another window saved first. `values`: typed text stays, every other field takes the
 * stored value. `differing`: the fields in which the other window put something else than was shown or is typed.
 */
export function findOvertaken<Values extends Fields>({ stored, was, typed }: States<Values>) {
  const touched = listDiffering(typed, was)
  const differing = listDiffering(stored, was).filter((field) => listDiffering(stored, typed).includes(field))
  return { values: { ...stored, ...pickFields(typed, touched) }, differing }
}
