import * as fc from '#tests/support/fast-check.ts'
import { arbitraryHostileValue, listHostileStrings } from './any-hostile.ts'
import { arbitraryNearlyValidValue, arbitraryValidValue, UNUSUAL_STRINGS } from './any-json.ts'
import { recordNameOf } from './fill-address.ts'
import { type JsonSchema, makeSampleValue } from './json-schema-sample.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './open-api.ts'

export type RequestCaller = 'nobody' | 'owner' | 'stranger' | 'made up'

/**
 * A request with placeholders for ids (`@calendar_id@`, or `@CALENDAR_ID@` for the id in upper case), because records are created
 * and deleted while requests are tried.
 */
export type ArbitraryRequest = {
  readonly operation: OpenApiOperation
  readonly caller: RequestCaller
  /** The cookie that a `made up` caller sends. */
  readonly madeUpCookie: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Bodies that are not a JSON object, or that exceed the maximum size or depth. */
const ABSURD_BODIES: readonly string[] = [
  ...['', '{', '}', 'null', '[]', '"text"', '42', '{"a":}', '\ufeff{}', '{"__proto__":{"admin":true}}'],
  ...['{"constructor":{"prototype":{"admin":true}}}', '\u0000', '<xml/>', '--x\r\n\r\n--x--', 'a=b&c=d'],
  ...['['.repeat(5_000), `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, `{"a":"${'x'.repeat(70_000)}"}`],
]
const CONTENT_TYPES: readonly string[] = [
  ...['application/json; charset=utf-16', 'text/plain', 'multipart/form-data; boundary=x', 'text/html'],
  ...['application/x-www-form-urlencoded', 'application/octet-stream', 'nonsense', 'application/json;;;'],
]
const ODD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['idempotency-key', 'the same'],
  ['idempotency-key', 'x'.repeat(200)],
  ['idempotency-key', ''],
  ['x-forwarded-for', '203.0.113.1, unknown, \u00ff'],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['accept', 'image/png'],
  ['accept-encoding', '*;q=0'],
  ['range', 'bytes=0-'],
  ['if-match', '"nothing"'],
  ['user-agent', '\u00ff'.repeat(1_000)],
  ['authorization', 'Bearer x'],
  ['forwarded', 'for="[::1'],
  ['idempotency-key', 'a\u0000b'],
  ['idempotency-key', '\u00ad'],
  ['idempotency-key', 'ABCDEFAB-CDEF-4ABC-8DEF-ABCDEFABCDEF'],
  ['expect', 'x'],
  ['host', 'localhost:3000/api?a=b'],
  ['host', 'somebody@localhost'],
  ['if-none-match', '*'],
]
const ODD_COOKIES: readonly string[] = [
  'meridian.session_token=made.up; other="',
  'meridian.session_token=',
  'meridian.session_token=%00',
  'meridian.session_token=%ed%a0%80.%zz',
  'meridian.session_token=a.b; meridian.session_token=c.d',
  `meridian.session_token=${'x'.repeat(4_000)}`,
  'meridian.session_token=\u00ff; meridian.two_factor=%00; meridian.trust_device=%ed%b0%80',
  ';;=;=;',
]
/** Query values that no encoder would produce from well-formed text. */
const ODD_QUERY_VALUES = ['%00', '%ed%a0%80', '%ff', 'a%00b', '%u0000', '%e2%80%8b', '+', '%2b']
const ODD_SEGMENTS: readonly string[] = [
  ...['%zz', '%00', '%c0%ae%c0%ae', '..%2f..', 'x'.repeat(300), '%0d%0aset-cookie:a=b', '-', '0', 'null'],
  ...UNUSUAL_STRINGS.map((text) => encodeURIComponent(text.toWellFormed())),
]

/** Any valid, nearly valid or absurd request to any operation. */
export function arbitraryRequest(
  document: OpenApiDocument,
  ids: Readonly<Record<string, string>>,
): fc.Arbitrary<ArbitraryRequest> {
  const shapes = { ids, schemas: document.schemas }
  const requests = document.operations.map((operation) =>
    fc.record({
      operation: fc.constant(operation),
      caller: fc.constantFrom<RequestCaller>(
        'nobody',
        'owner',
        'owner',
        'owner',
        'owner',
        'stranger',
        'made up',
      ),
      madeUpCookie: fc.constantFrom(...ODD_COOKIES),
      url: anyUrl(operation, shapes),
      headers: anyHeaders(),
      body: anyBody(operation, shapes),
    }),
  )
  return fc.oneof(...requests).map(({ headers, body, ...request }) => {
    const type = body?.type ?? null
    return {
      ...request,
      headers: { ...headers, ...(type === null ? {} : { 'content-type': type }) },
      body: body?.text ?? null,
    }
  })
}

type Shapes = Parameters<typeof arbitraryValidValue>[1]

function anyUrl(operation: OpenApiOperation, shapes: Shapes): fc.Arbitrary<string> {
  const { path, parameters = [] } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const segments = fc.tuple(...inPath.map((parameter) => anySegment(operation, parameter, shapes)))
  const query = fc.tuple(
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => anyQuery(parameter, shapes)),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('') },
      fc.constantFrom('a=b', '%zz', '__proto__[a]=b', 'page=1&page=2'),
    ),
  )
  const spelling = fc.oneof(
    { weight: 9, arbitrary: fc.constant('/api/') },
    fc.constantFrom('/%61pi/', '/%61%70%69/'),
  )
  const asked = fc.oneof({ weight: 7, arbitrary: query }, anyHostileQuery(parameters, shapes))
  return fc.tuple(segments, asked, spelling).map(([values, pairs, api]) => {
    const filled = inPath.reduce((url, { name }, i) => url.replace(`{${name}}`, () => values[i] ?? ''), path)
    const spelled = filled.replace(/^\/api\//, api)
    const rest = pairs.filter((pair) => pair !== '').join('&')
    return rest === '' ? spelled : `${spelled}?${rest}`
  })
}

function anySegment(
  operation: OpenApiOperation,
  parameter: OpenApiParameter,
  shapes: Shapes,
): fc.Arbitrary<string> {
  const record = `@${recordNameOf(operation, parameter)}@`
  const real = fc.constantFrom(...(parameter.schema.enum ?? [record, record, record, record.toUpperCase()]))
  return fc.oneof(
    { weight: 8, arbitrary: real.map(String) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(shapes.ids)) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
  )
}

function anyQuery(
  { name, required = false, schema }: OpenApiParameter,
  shapes: Shapes,
): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 5, arbitrary: arbitraryValidValue(schema, shapes, name) },
    { weight: 1, arbitrary: fc.constantFrom(...UNUSUAL_STRINGS) },
  )
  const encoded = value.map((text) => encodeURIComponent(String(text).toWellFormed()))
  const raw = fc.constantFrom(...ODD_QUERY_VALUES)
  const pair = fc.oneof({ weight: 9, arbitrary: encoded }, raw).map((text) => `${name}=${text}`)
  return fc.oneof({ weight: required ? 9 : 2, arbitrary: pair }, { weight: 1, arbitrary: fc.constant('') })
}

/** The required query parameters, and one parameter with a string that the server cannot process. */
function anyHostileQuery(
  parameters: readonly OpenApiParameter[],
  shapes: Shapes,
): fc.Arbitrary<readonly string[]> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const sample = ({ name, schema }: OpenApiParameter) =>
    String(makeSampleValue(schema, { ...shapes, properties: 'all' }, name))
  const choices = inQuery.flatMap((parameter) =>
    listHostileStrings(parameter.name, sample(parameter)).map((hostile) => ({ parameter, hostile })),
  )
  if (choices.length === 0) return fc.constant([])
  return fc.constantFrom(...choices).map(({ parameter, hostile }) => {
    const others = inQuery.filter((other) => other.required && other !== parameter)
    const pairs = [...others.map((other) => [other.name, sample(other)]), [parameter.name, hostile]]
    return pairs.map(([name, text = '']) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
  })
}

function anyHeaders(): fc.Arbitrary<Record<string, string>> {
  const some = fc.array(fc.constantFrom(...ODD_HEADERS), { maxLength: 2 })
  const headers = some.map((pairs): Record<string, string> => Object.fromEntries(pairs))
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers })
}

function anyBody({ requestBody }: OpenApiOperation, shapes: Shapes) {
  const schema: JsonSchema | undefined = requestBody?.content['application/json'].schema
  const json = (value: fc.Arbitrary<unknown>) =>
    value.map((one) => ({ text: JSON.stringify(one), type: 'application/json' }))
  const absurd = fc.record({
    text: fc.oneof(fc.constantFrom(...ABSURD_BODIES), fc.json()),
    type: fc.oneof(
      { weight: 2, arbitrary: fc.constant('application/json') },
      fc.constantFrom(...CONTENT_TYPES),
    ),
  })
  if (schema === undefined) {
    return fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: absurd })
  }
  return fc.oneof(
    { weight: 9, arbitrary: json(arbitraryValidValue(schema, shapes)) },
    { weight: 7, arbitrary: json(arbitraryNearlyValidValue(schema, shapes)) },
    { weight: 9, arbitrary: json(arbitraryHostileValue(schema, shapes)) },
    { weight: 4, arbitrary: absurd },
  )
}
