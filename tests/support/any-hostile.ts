import * as fc from '#tests/support/fast-check.ts'
import { type JsonSchema, makeSampleValue, type SampleOptions } from './json-schema-sample.ts'

/** Characters that neither PostgreSQL nor JSON can store: NUL and lone surrogates. */
export const UNSTORABLE_CHARACTERS = ['\u0000', '\ud800', '\udfff', '\udc00\ud800']

/** Strings without a single visible character. */
export const INVISIBLE_STRINGS = [
  ...['\u200b', '\u200b\u200c\u200d', '\u2060\ufeff', '\u00ad', '\u3164', '\u2800', '\u202e'],
]

/** Instants that cannot be booked: the limits of the date range, of the notation, and of the stored range. */
export const OUT_OF_RANGE_INSTANTS = [
  '9999-12-31T23:59:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:00-23:59',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1969-12-31T23:59:00Z',
  '1970-01-01T00:00:00Z',
  '2200-12-31T23:59:00Z',
  '2200-12-31T23:59:00-23:59',
  '2201-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
]

/** Time zone names in unusual spelling, outdated names, and strings that only look like a time zone name. */
export const UNUSUAL_TIME_ZONES = [
  ...[
    'europe/london',
    'EUROPE/LONDON',
    'eUrOpE/lOnDoN',
    'asia/CALCUTTA',
    'us/eastern',
    'gb',
    'utc',
    'Etc/GMT+14',
  ],
  ...['europe/london ', 'Europe/London/', 'GMT+1', '+01:00', 'BST', 'Etc/Unknown', 'Europe/Lond\u200bon'],
]

/**
 * A valid value with only the required fields, plus one string that its schema may allow but the server cannot process. Other
 * optional fields are left out, so that nothing else causes the rejection.
 */
export function arbitraryHostileValue(
  schema: JsonSchema,
  shapes: Pick<SampleOptions, 'ids' | 'schemas'>,
): fc.Arbitrary<unknown> {
  const [least, most] = (['required', 'all'] as const).map((properties) =>
    makeSampleValue(schema, { ...shapes, properties }),
  )
  const choices = listStringsIn(most).flatMap(({ place, text }) =>
    listHostileStrings(place.at(-1) ?? '', text).map((hostile) => ({ place, hostile })),
  )
  if (choices.length === 0) return fc.constant(least)
  return fc.constantFrom(...choices).map(({ place, hostile }) => replaceStringAt(least, place, hostile))
}

/** Lists hostile strings to send instead of the string in the field `name`. */
export function listHostileStrings(name: string, text: string): readonly string[] {
  if (/time_?zone$/.test(name)) return UNUSUAL_TIME_ZONES
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return OUT_OF_RANGE_INSTANTS
  const unstorable = UNSTORABLE_CHARACTERS.flatMap((piece) => [
    `${text}${piece}`,
    `${text[0] ?? ''}${piece}${text}`,
  ])
  return [...unstorable, ...INVISIBLE_STRINGS, text.toUpperCase()]
}

type Place = readonly string[]

/** Lists the strings within a value, each with its path. */
export function listStringsIn(value: unknown, place: Place = []): { place: Place; text: string }[] {
  if (typeof value === 'string') return [{ place, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => listStringsIn(inner, [...place, name]))
}

/** Copies a value with one string replaced. Creates missing objects along the path. */
export function replaceStringAt(value: unknown, [name, ...rest]: Place, text: string): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) return value.with(Number(name), replaceStringAt(value[Number(name)], rest, text))
  const record = (typeof value === 'object' ? value : {}) as Record<string, unknown> // every step of the path is an object
  return { ...record, [name]: replaceStringAt(record[name], rest, text) }
}
