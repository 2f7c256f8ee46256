/** An operation of an OpenAPI document: the parts that can repeat those of other operations. */
type Described = { parameters?: object[]; responses: Record<string, object> }
type Shared = Readonly<Record<'parameters' | 'responses', Readonly<Record<string, object>>>>

type Parameter = { readonly in?: string; readonly name?: string }
type Refusal = {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly allOf?: readonly Codes[] } }>>
}
type Codes = { readonly properties?: { readonly code?: { readonly enum?: readonly string[] } } }

/**
 * Shrinks the OpenAPI document: each parameter and refusal used by several operations becomes a component that the
 * operations reference. Modifies `paths`. Successful responses stay inline, because their schemas are already
 * components. Source: OpenAPI 3.1 §4.8.7.
 * @returns the components by name
 */
export function extractSharedComponents(paths: object): Shared {
  const operations = Object.values(paths).flatMap((methods: object) => Object.values(methods) as Described[])
  const parameters = buildStore('parameters', nameParameter)
  const responses = buildStore('responses', nameRefusal)
  for (const { parameters: listed = [], responses: answers } of operations) {
    for (const one of listed) parameters.count(one)
    for (const one of Object.values(answers)) responses.count(one)
  }
  for (const operation of operations) {
    if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(parameters.share)
    for (const [status, answer] of Object.entries(operation.responses))
      operation.responses[status] = responses.share(answer)
  }
  return { parameters: parameters.shared, responses: responses.shared }
}

/**
 * Counts parts of one kind, then extracts those that occur more than once. Parts for which `nameOf` returns null stay
 * inline.
 */
function buildStore(kind: keyof Shared, nameOf: (part: object) => string | null) {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const shared: Record<string, object> = {}
  const toName = (text: string, wanted: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const taken = [...names.values()].filter((name) => name.replace(/\d+$/, '') === wanted).length
    const name = taken === 0 ? wanted : `${wanted}${taken + 1}`
    names.set(text, name)
    return name
  }
  return {
    shared,
    count(part: object): void {
      const text = JSON.stringify(part)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    },
    share(part: object): object {
      const text = JSON.stringify(part)
      const wanted = nameOf(part)
      if (wanted === null || (counts.get(text) ?? 0) < 2) return part
      const name = toName(text, wanted)
      shared[name] = part
      return { $ref: `#/components/${kind}/${name}` }
    },
  }
}

/** Names a parameter by location and name, such as `PathId` and `QueryPage`. */
function nameParameter(part: object): string {
  const { in: place = '', name = '' }: Parameter = part
  return toPascal(`${place}_${name}`)
}

/** Names a refusal by its first code, such as `RefusedCalendarNotFound`. Null for other responses. */
function nameRefusal(part: object): string | null {
  const problem = (part as Refusal).content?.['application/problem+json']
  if (problem === undefined) return null
  const [code] = problem.schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ?? []
  return toPascal(`refused_${code ?? 'generally'}`)
}

function toPascal(text: string): string {
  return text.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())
}
