import fc from 'fast-check'
import { anyNearlyValid, anyValid, ODD_TEXTS } from './any-json.ts'
import type { JsonSchema } from './json-schema-sample.ts'
import type { Document, Operation, Parameter } from './open-api.ts'

export type Caller = 'nobody' | 'owner' | 'stranger' | 'made up'

/** A request whose ids are still names (`@calendar_id@`), because records come and go while requests are tried. */
export type AnyRequest = {
  readonly operation: Operation
  readonly caller: Caller
  /** With its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What is no JSON object at all, or more than is taken. */
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
]
const ODD_SEGMENTS: readonly string[] = [
  ...['%zz', '%00', '%c0%ae%c0%ae', '..%2f..', 'x'.repeat(300), '%0d%0aset-cookie:a=b', '-', '0', 'null'],
  ...ODD_TEXTS.map((text) => encodeURIComponent(text.toWellFormed())),
]

/** Valid, nearly valid and absurd requests to every operation. */
export function anyRequest(
  document: Document,
  ids: Readonly<Record<string, string>>,
): fc.Arbitrary<AnyRequest> {
  const shapes = { ids, schemas: document.schemas }
  const requests = document.operations.map((operation) =>
    fc.record({
      operation: fc.constant(operation),
      caller: fc.constantFrom<Caller>('nobody', 'owner', 'owner', 'owner', 'owner', 'stranger', 'made up'),
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

type Shapes = Parameters<typeof anyValid>[1]

function anyUrl({ path, parameters = [] }: Operation, shapes: Shapes): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const segments = fc.tuple(...inPath.map((parameter) => anySegment(path, parameter, shapes)))
  const query = fc.tuple(
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => anyQuery(parameter, shapes)),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('') },
      fc.constantFrom('a=b', '%zz', '__proto__[a]=b', 'page=1&page=2'),
    ),
  )
  return fc.tuple(segments, query).map(([values, pairs]) => {
    const filled = inPath.reduce((url, { name }, i) => url.replace(`{${name}}`, () => values[i] ?? ''), path)
    const asked = pairs.filter((pair) => pair !== '').join('&')
    return asked === '' ? filled : `${filled}?${asked}`
  })
}

function anySegment(path: string, { name, schema }: Parameter, shapes: Shapes): fc.Arbitrary<string> {
  const real =
    schema.enum === undefined ? fc.constant(`@${recordOf(path, name)}@`) : fc.constantFrom(...schema.enum)
  return fc.oneof(
    { weight: 8, arbitrary: real.map(String) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(shapes.ids)) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
  )
}

/** `id` is a calendar's, but where it follows the appointments. */
function recordOf(path: string, name: string): string {
  if (name !== 'id') return name
  return path.includes('/appointments/{id}') ? 'appointment_id' : 'calendar_id'
}

function anyQuery({ name, required = false, schema }: Parameter, shapes: Shapes): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 5, arbitrary: anyValid(schema, shapes, name) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  )
  const pair = value.map((text) => `${name}=${encodeURIComponent(String(text).toWellFormed())}`)
  return fc.oneof({ weight: required ? 9 : 2, arbitrary: pair }, { weight: 1, arbitrary: fc.constant('') })
}

function anyHeaders(): fc.Arbitrary<Record<string, string>> {
  const some = fc.array(fc.constantFrom(...ODD_HEADERS), { maxLength: 2 })
  const headers = some.map((pairs): Record<string, string> => Object.fromEntries(pairs))
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers })
}

function anyBody({ requestBody }: Operation, shapes: Shapes) {
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
    { weight: 9, arbitrary: json(anyValid(schema, shapes)) },
    { weight: 7, arbitrary: json(anyNearlyValid(schema, shapes)) },
    { weight: 4, arbitrary: absurd },
  )
}
