import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { RecordedExchange } from './recording-proxy.ts'

type Operation = {
  readonly operationId: string
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>
}

const DIRECTORY = join(import.meta.dirname, '../fixtures/paypal')
const FILES = ['orders.json', 'payments.json', 'webhooks.json']

// PayPal's documents use custom formats, and patterns that are not valid with the `u` flag.
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, verbose: true })

const OPERATIONS = FILES.flatMap((file) => {
  const text = readFileSync(join(DIRECTORY, file), 'utf8')
  const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(text)
  ajv.addSchema(document, file)
  const names = new Set(Array.from(text.matchAll(/"(\w+)": \{/g), ([, name]) => name))
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ file, path, method, operation, names })),
  )
})
type Described = (typeof OPERATIONS)[number]

/** The ids of all operations that the documents describe. */
export const PAYPAL_OPERATION_IDS = OPERATIONS.map(({ operation }) => operation.operationId)

/** Validates a request and its response against PayPal's own documents; null when they do not describe the operation. */
export function validateAgainstPaypalSpec(
  exchange: RecordedExchange,
): { readonly operationId: string; readonly mistakes: readonly string[] } | null {
  const described = OPERATIONS.find(
    ({ path, method }) =>
      method === exchange.method.toLowerCase() &&
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(exchange.path),
  )
  if (described === undefined) return null
  const { operation } = described
  const mistakes = [...checkRequest(described, exchange), ...checkAnswer(described, exchange)]
  return { operationId: operation.operationId, mistakes }
}

function checkRequest(described: Described, { requestBody }: RecordedExchange): string[] {
  if (described.operation.requestBody === undefined)
    return requestBody === '' ? [] : ['a body is not described']
  const body: unknown = JSON.parse(requestBody)
  const unknown = [...namesIn(body)].filter((name) => !described.names.has(name))
  return [...unknown.map((name) => `${name} is not described`), ...mistakesOf(described, 'requestBody', body)]
}

/** The documents describe neither server errors nor rate limiting. */
function checkAnswer(described: Described, { status, responseBody }: RecordedExchange): string[] {
  if (status === 429 || status >= 500) return []
  const { responses } = described.operation
  const key = responses[status] === undefined ? 'default' : String(status)
  const response = responses[key]
  if (response === undefined) return [`an answer ${status} is not described`]
  if (response.content === undefined)
    return responseBody === '' ? [] : ['an answer with a body is not described']
  return mistakesOf(described, `responses/${key}`, JSON.parse(responseBody))
}

function mistakesOf({ file, path, method }: Described, part: string, body: unknown): string[] {
  const escaped = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
  const validate = ajv.getSchema(
    `${file}#/paths/${escaped}/${method}/${part}/content/application~1json/schema`,
  )
  if (validate === undefined) throw new Error(`${method} ${path} has no ${part}`)
  validate(body)
  // When no alternative of an `anyOf` or `oneOf` fits, the last error says so.
  const error = validate.errors?.at(-1)
  return error === undefined
    ? []
    : [`${part}${error.instancePath} ${error.message}: ${JSON.stringify(error.data)}`]
}

/** Yields the property names of all nested objects, except inside a webhook event, which may contain anything. */
function* namesIn(body: unknown): Generator<string> {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (name === 'webhook_event') continue
    if (!Array.isArray(body)) yield name
    yield* namesIn(value)
  }
}
