import * as fc from '#tests/support/fast-check.ts'
import {
  INVISIBLE_STRINGS,
  OUT_OF_RANGE_INSTANTS,
  UNSTORABLE_CHARACTERS,
  UNUSUAL_TIME_ZONES,
} from './any-hostile.ts'
import { type JsonSchema, makeSampleValue, type SampleOptions } from './json-schema-sample.ts'

type Shapes = Pick<SampleOptions, 'ids' | 'schemas'>

/** Strings that break code that does not expect them. */
export const UNUSUAL_STRINGS: readonly string[] = [
  ...UNSTORABLE_CHARACTERS.flatMap((piece) => [piece, `Grace ${piece} Hopper`]),
  ...INVISIBLE_STRINGS,
  ...OUT_OF_RANGE_INSTANTS,
  ...UNUSUAL_TIME_ZONES,
  '',
  ' ',
  'x'.repeat(201),
  'x'.repeat(6_000),
  'ü'.repeat(100),
  'a\r\nBcc: eve@example.com',
  '\u202eevil\u2066',
  '\u2028',
  '👩‍👩‍👧‍👦'.repeat(20),
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table appointments; --",
  "1' or '1'='1",
  '\\',
  '%',
  '%_%',
  '$1',
  '{{calendar_name}}{{',
  '{customer_name}',
  '=HYPERLINK("https://evil.example")',
  '../../etc/passwd',
  'javascript:alert(1)',
  'null',
  'NaN',
  '-0',
  '1e999',
  '99999999999999999999',
  '0000-00-00',
  '2027-02-30',
  '9999-12-31',
  '+275760-09-13',
  '2027-01-04T09:00:00+99:99',
  '2027-01-04T24:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '25:61:61',
  '24:00:00',
  'Mars/Olympus',
  'Europe/London\u0000',
  'constructor',
  '__proto__',
]

const ODD_VALUES: readonly unknown[] = [
  ...UNUSUAL_STRINGS,
  ...[null, true, false, 0, -1, 1.5, 0.1 + 0.2, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63],
  ...[[], {}, [[]], [null], Array.from({ length: 1_000 }, () => 1), { length: -1 }, { toString: 1 }],
]

/** Any value that the schema allows, as far as the schema can express it. `name` is the property's name. */
export function arbitraryValidValue(schema: JsonSchema, shapes: Shapes, name = ''): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (schema.$ref !== undefined || schema.allOf !== undefined) return sample(schema, shapes, name)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (choices !== undefined)
    return fc.oneof(...choices.map((choice) => arbitraryValidValue(choice, shapes, name)))
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const record = properties.map(
        ([key, property]) => [key, arbitraryValidValue(property, shapes, key)] as const,
      )
      return fc.record(Object.fromEntries(record), { requiredKeys: [...(schema.required ?? [])] })
    }
    case 'array': {
      const minLength = schema.minItems ?? 0
      return fc.array(arbitraryValidValue(schema.items ?? {}, shapes, name), {
        minLength,
        maxLength: minLength + 3,
      })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
    case 'number':
      return anyNumber(schema)
    default:
      return anyText(schema, shapes, name)
  }
}

function anyNumber({ minimum = 0, maximum = 100_000, exclusiveMinimum, ...schema }: JsonSchema) {
  const min = Math.ceil(exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1)
  const max = Math.max(min, Math.floor(maximum))
  const step = schema.multipleOf ?? 1
  const whole = fc.integer({ min, max }).map((number) => (step > 1 ? number - (number % step) : number))
  return fc.oneof(whole, fc.constantFrom(min, max), fc.constant(schema.default ?? min))
}

function anyText(schema: JsonSchema, shapes: Shapes, name: string): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema
  const usual = sample(schema, shapes, name)
  const inCapitals = usual.map((text) => String(text).toUpperCase())
  if (format === 'uuid') return fc.oneof({ weight: 5, arbitrary: usual }, inCapitals, fc.uuid())
  if (format === 'date-time') return fc.oneof(usual, anyInstant())
  if (format !== undefined || pattern !== undefined) return usual
  const longest = Math.min(maxLength, 300)
  return fc.oneof(usual, fc.string({ minLength, maxLength: longest, unit: 'binary' }))
}

function anyInstant(): fc.Arbitrary<string> {
  const [min, max] = [new Date('2026-12-01T00:00:00Z'), new Date('2029-06-01T00:00:00Z')]
  return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
}

function sample(schema: JsonSchema, shapes: Shapes, name: string): fc.Arbitrary<unknown> {
  return fc.constantFrom('required' as const, 'all' as const).map((properties) => {
    return makeSampleValue(schema, { ...shapes, properties }, name)
  })
}

/** Any valid value with one or two positions changed: replaced by an odd value, removed, or extended. */
export function arbitraryNearlyValidValue(schema: JsonSchema, shapes: Shapes): fc.Arbitrary<unknown> {
  const change = fc.record({
    place: fc.nat(),
    how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
    value: fc.constantFrom(...ODD_VALUES),
  })
  return fc
    .tuple(arbitraryValidValue(schema, shapes), fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => changes.reduce(applyChange, structuredClone(value)))
}

type Change = { place: number; how: string; value: unknown }

function applyChange(whole: unknown, { place, how, ...change }: Change): unknown {
  // Copied, because the odd values are shared and the next change may edit this copy.
  const value = structuredClone(change.value)
  const places = listPlaces(whole)
  const chosen = places[place % Math.max(1, places.length)]
  if (chosen === undefined) return value
  const { parent, key } = chosen
  if (how === 'remove') delete parent[key]
  else if (how === 'add') parent[`${key}_more`] = value
  else parent[key] = value
  return whole
}

type Place = { parent: Record<string, unknown>; key: string }

function listPlaces(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown> // arrays are changed by index
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...listPlaces(parent[key])])
}
