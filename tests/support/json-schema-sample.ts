/** The JSON Schema keywords that our OpenAPI document uses. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

export type SampleOptions = {
  /** Whether the sample has all properties or only the required ones. */
  readonly properties: 'all' | 'required'
  /** The id to use in each property that needs one, by property name. */
  readonly ids: Readonly<Record<string, string>>
  /** Schemas that other schemas refer to, by the last part of their `$ref`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/** Returns a value that the schema allows, as far as the schema can express it. `name` is the property's name. */
export function makeSampleValue(schema: JsonSchema, options: SampleOptions, name = ''): unknown {
  if (schema.$ref !== undefined) {
    return makeSampleValue(options.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, options, name)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')
  if (choice !== undefined) return makeSampleValue(choice, options, name)
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => makeSampleValue(part, options, name)))
  }
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object':
      return sampleObject(schema, options)
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () =>
        makeSampleValue(schema.items ?? {}, options, name),
      )
    case 'boolean':
      return schema.default ?? true
    case 'integer':
    case 'number':
      return schema.default ?? schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1
    default:
      return sampleText(schema, options, name)
  }
}

function sampleObject(schema: JsonSchema, options: SampleOptions): Record<string, unknown> {
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => options.properties === 'all' || schema.required?.includes(name),
  )
  return Object.fromEntries(
    wanted.map(([name, property]) => [name, makeSampleValue(property, options, name)]),
  )
}

/** A typical value by field name, for fields whose schema does not determine one. */
const BY_NAME: readonly (readonly [name: RegExp, text: string])[] = [
  [/time_?zone$/, 'Europe/London'],
  [/email$/, 'sample@example.com'],
  [/(^|_)(date|day|from)$/, '2027-01-05'],
  [/(^|_)to$/, '2027-01-08'],
  [/slug/, 'sample-practice'],
  [/phone/, '+44 20 7946 0958'],
  [/(^|_)end(_|$)/, '17:00:00'],
]

/** Strings to try in this order until one fits the pattern and the length. */
const TEXTS = [
  'Sample text',
  'sample',
  '#123456',
  '09:00:00',
  '09:00',
  '2027-01-05',
  '123456',
  'https://sample.example/',
]

function sampleText({ format, ...schema }: JsonSchema, { ids }: SampleOptions, name: string): string {
  if (format === 'uuid') return ids[name] ?? '00000000-0000-4000-8000-000000000000'
  if (format === 'date-time') return '2027-01-05T09:00:00Z'
  if (format === 'date') return '2027-01-05'
  if (format === 'email') return 'sample@example.com'
  if (format === 'uri') return 'https://sample.example/'
  const named = BY_NAME.filter(([pattern]) => pattern.test(name)).map(([, text]) => text)
  const fitting = [...named, ...TEXTS].find((text) => fits(schema, text))
  return fitting ?? 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

function fits({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema, text: string) {
  if (text.length < minLength || text.length > maxLength) return false
  return pattern === undefined || new RegExp(pattern).test(text)
}
