import { afterAll, describe, expect, test } from 'vitest'
import { listStringsIn, replaceStringAt, UNSTORABLE_CHARACTERS } from '#tests/support/any-hostile.ts'
import { fillOperationAddress, recordNameOf } from '#tests/support/fill-address.ts'
import { makeSampleValue } from '#tests/support/json-schema-sample.ts'
import { findResponseMistake } from '#tests/support/judge-answer.ts'
import { startMeridian } from '#tests/support/meridian.ts'
import { makeOneRecordOfEachKind } from '#tests/support/one-of-each.ts'
import { type OpenApiOperation, type OpenApiParameter, readOpenApiDocument } from '#tests/support/open-api.ts'

const meridian = await startMeridian({ env: { DEFAULT_PLAN: 'enterprise' } })
afterAll(() => meridian.stop())
const { operations, schemas } = readOpenApiDocument(meridian.app)
const { owner, calendar, ids } = await makeOneRecordOfEachKind(meridian)
const records: Readonly<Record<string, string>> = { ...ids, slug: calendar.slug }
const SAMPLES = { properties: 'all', ids: records, schemas } as const

const withBodies = operations.flatMap((operation) => {
  const schema = operation.requestBody?.content['application/json'].schema
  if (schema === undefined) return []
  // Send only required fields, so that no other field is refused first.
  const least = makeSampleValue(schema, { ...SAMPLES, properties: 'required' })
  return listStringsIn(makeSampleValue(schema, SAMPLES)).map(({ place, text }) => ({
    ...operation,
    least,
    place,
    text,
    at: place.join('.'),
  }))
})
const withParameters = operations.flatMap((operation) => {
  const texts = (operation.parameters ?? []).filter(({ schema }) => schema.type === 'string' && !schema.enum)
  return texts.map((parameter) => ({ ...operation, parameter, at: `${parameter.in} ${parameter.name}` }))
})

describe('a text that cannot be kept is refused', () => {
  test('in many places', () => {
    expect(withBodies.length).toBeGreaterThan(80)
    expect(withParameters.length).toBeGreaterThan(80)
  })

  test.each(withBodies)('by $operationId in $at', async ({ least, place, text, ...operation }) => {
    for (const piece of UNSTORABLE_CHARACTERS) {
      const answer = await ask(operation, { payload: replaceStringAt(least, place, text + piece) as object })
      expect(findResponseMistake(operation, answer), answer.body).toBeNull()
      expect(answer.statusCode, JSON.stringify(piece)).toBe(400)
    }
  })

  test.each(withParameters)('by $operationId in its $at', async ({ parameter, ...operation }) => {
    const answer = await ask(operation, { hostile: parameter })
    expect(findResponseMistake(operation, answer), answer.body).toBeNull()
    expect([400, 404], answer.body).toContain(answer.statusCode)
  })
})

test('an address of the web that cannot be kept is refused, too', async () => {
  const url = `/api/calendars/${calendar.id}/payment-settings`
  for (const piece of UNSTORABLE_CHARACTERS) {
    const payload = { paypal_redirect_uri: `https://practice.example/back${piece}` }
    const answer = await owner.patch(url, payload)
    expect(answer.statusCode, JSON.stringify(piece)).toBe(400)
  }
})

/** Skip `was`, which contains stored values and no new ones. */
const names = withBodies.filter(({ place }) => place[0] !== 'was' && /(^|_)name$/.test(place.at(-1) ?? ''))

describe('a name of which nothing can be seen is no name', () => {
  test('at every place of one', () => {
    expect(names.length).toBeGreaterThan(8)
  })

  test.each(names)('for $operationId in $at', async ({ least, place, ...operation }) => {
    const none = await ask(operation, { payload: replaceStringAt(least, place, '') as object })
    for (const text of ['\u200b', '\u2060\ufeff\u200d ', '\u3164', '\u2800']) {
      const answer = await ask(operation, { payload: replaceStringAt(least, place, text) as object })
      expect([answer.statusCode, answer.json().code], JSON.stringify(text)).toEqual([
        none.statusCode,
        none.json().code,
      ])
    }
  })
})

test.each([
  ['9999-12-31T23:59:00Z', 'booking.too_far_ahead', 400],
  ['2201-01-01T00:00:00Z', 'booking.too_far_ahead', 400],
  ['1969-12-31T23:59:00Z', 'booking.too_long_ago', 400],
  ['0000-01-01T00:00:00Z', 'booking.too_long_ago', 400],
])('an owner who asks about %s is refused with %s', async (startsAt, code, status) => {
  const url = `/api/calendars/${calendar.id}/appointment-time?starts_at=${startsAt}&duration=480`
  const answer = await owner.get(url)
  expect([answer.statusCode, answer.json().code]).toEqual([status, code])
})

let clients = 0

/** Sends each request from a different IP address, so that no rate limit responds instead of the operation. */
function ask(
  operation: OpenApiOperation,
  { payload, hostile }: { payload?: object; hostile?: OpenApiParameter },
) {
  clients += 1
  const url = fillOperationAddress(operation, (parameter) => {
    if (isSame(parameter, hostile)) return 'a%00b'
    return parameter.in === 'path' || parameter.required
      ? encodeURIComponent(usual(operation, parameter))
      : null
  })
  return meridian.request({
    method: operation.method,
    url,
    // Headers have one byte per character, so they cannot contain a lone surrogate.
    headers: hostile?.in === 'header' ? { [hostile.name]: 'a\u0000b' } : {},
    cookie: owner.cookie,
    remoteAddress: `10.0.${clients >> 8}.${clients & 255}`,
    ...(payload === undefined ? {} : { payload }),
  })
}

function isSame({ name, in: where }: OpenApiParameter, other: OpenApiParameter | undefined): boolean {
  return name === other?.name && where === other.in
}

function usual(operation: OpenApiOperation, parameter: OpenApiParameter): string {
  return (
    records[recordNameOf(operation, parameter)] ??
    String(makeSampleValue(parameter.schema, SAMPLES, parameter.name))
  )
}
