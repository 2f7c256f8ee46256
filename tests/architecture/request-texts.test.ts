import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idSchema, storableTextSchema } from '#contract/shared/primitives.ts'
import { isStorableText } from '#core/shared/text.ts'
import {
  listRequestValues,
  listValuesInSchema,
  type RequestValueSchema,
} from '#tests/support/request-schemas.ts'

/** Schema types that accept no free text. Add a new type here once you have considered what clients may send in it. */
const NO_TEXT = new Set(['number', 'boolean', 'enum', 'literal', 'null', 'undefined'])

const values = await listRequestValues()

test('every text of every request goes through the one schema that refuses what cannot be stored', () => {
  expect(values.length).toBeGreaterThan(150)
  expect(values.filter((value) => !isNoText(value) && !isCheckedText(value)).map(({ at }) => at)).toEqual([])
})

test('every id of a request is read in the one spelling that everything is keyed by', () => {
  const ids = values.filter(({ schema }) => formatOf(schema) === 'uuid')
  expect(ids.length).toBeGreaterThan(50)
  const id = 'abcdefab-cdef-4abc-8def-abcdefabcdef'
  const wrong = ids.filter(({ schema }) => z.safeParse(schema, id.toUpperCase()).data !== id)
  expect(wrong.map(({ at }) => at)).toEqual([])
})

test('every instant of a request is one of years that can be kept', () => {
  const instants = values.filter(({ schema }) => formatOf(schema) === 'datetime')
  expect(instants.length).toBeGreaterThan(2)
  for (const instant of ['9999-12-31T23:59:00Z', '0000-01-01T00:00:00Z', '2201-01-01T00:00:00+02:00']) {
    const taken = instants.filter(({ schema }) => z.safeParse(schema, instant).success)
    expect(taken.map(({ at }) => `${at}: ${instant}`)).toEqual([])
  }
})

describe('the rules above find', () => {
  test.each([
    ['a text without bounds', z.object({ name: z.string() })],
    ['a text with bounds of its own', z.object({ name: z.string().min(1).max(9).optional() })],
    ['a text that is changed before it is read', z.object({ name: z.string().transform((text) => text) })],
    ['an address of the web', z.array(z.union([z.literal(''), z.url()]))],
    ['whatever it is', z.object({ name: z.unknown() })],
    ['the name of a field', z.record(z.string(), z.boolean())],
  ])('%s', (_what, schema) => {
    const [value] = listValuesInSchema('', schema).filter((one) => !isNoText(one))
    expect(value === undefined || isCheckedText(value)).toBe(false)
  })

  test.each([
    ['a checked text, however it goes on', storableTextSchema().trim().max(9).nullish()],
    ['an id', idSchema.optional()],
    ['a checked text that is read as something else', storableTextSchema().transform(Number)],
  ])('nothing wrong with %s', (_what, schema) => {
    expect(listValuesInSchema('', schema).every(isCheckedText)).toBe(true)
  })
})

function isNoText({ schema }: RequestValueSchema): boolean {
  return NO_TEXT.has(schema._zod.def.type)
}

/** True when the schema has the check itself. If a string is refused only for another reason, that is no guarantee. */
function isCheckedText({ schema }: RequestValueSchema): boolean {
  // These formats accept no unstorable characters.
  if (['uuid', 'datetime'].includes(formatOf(schema) ?? '')) return true
  const checks = (schema._zod.def as z.core.$ZodStringDef).checks ?? []
  return checks.some((check) => (check._zod.def as z.core.$ZodCustomDef).fn === isStorableText)
}

function formatOf({ _zod }: z.core.$ZodType): string | undefined {
  return (_zod.def as Partial<z.core.$ZodStringFormatDef>).format
}
