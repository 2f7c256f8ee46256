import { Ajv2020 } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import { PROBLEMS } from '#contract/problem.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import type { Operation } from './open-api.ts'

// The formats are the server's own promise; what it promises by pattern is checked.
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** What may be answered to anything that is sent, whatever the operation says of itself. */
const GENERAL = new Set(['request.invalid', 'request.not_found', 'request.too_large', 'request.too_many'])
for (const code of [
  'request.not_json',
  'request.cross_site',
  'request.expectation_unknown',
  'request.proxied',
])
  GENERAL.add(code)

/** What is wrong with an answer to any request; null when nothing is. */
export function findMistake(operation: Operation, answer: LightMyRequestResponse): string | null {
  const { statusCode: status, headers } = answer
  if (!isStrict(headers['content-security-policy'])) return 'no strict policy'
  if (!String(headers['cache-control']).includes('no-store')) return 'may be stored'
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  if (status >= 400) return findMistakeOfRefusal(operation, answer, type)
  const described = operation.responses[status]
  if (described === undefined) return `${status} is not described`
  if (status === 204) return answer.body === '' ? null : 'a body with 204'
  const schema = described.content?.[type]?.schema
  if (schema === undefined) return `${type} is not described`
  if (type !== 'application/json') return null
  return ajv.validate(schema, answer.json()) ? null : ajv.errorsText()
}

/** A mail that is shown as a page is styled by attributes, as mails are: there, no script runs and nothing is loaded. */
function isStrict(policy: unknown): boolean {
  if (typeof policy !== 'string') return false
  return (
    !policy.includes('unsafe') || /^default-src 'none'; style-src 'unsafe-inline';.* sandbox/.test(policy)
  )
}

function findMistakeOfRefusal(
  operation: Operation,
  answer: LightMyRequestResponse,
  type: string,
): string | null {
  const status = answer.statusCode
  if (type !== 'application/problem+json') return `a refusal as ${type}`
  const problem = problemSchema.safeParse(answer.json())
  if (!problem.success) return `no problem: ${problem.error.message}`
  const { code } = problem.data
  const { status: usual, title } = PROBLEMS[code]
  if (usual !== status || problem.data.status !== status) return `${code} with ${status}`
  if (problem.data.title !== title) return `${code} with other words`
  if (operation.responses[status] === undefined && !GENERAL.has(code))
    return `${status} ${code} is not described`
  return null
}
