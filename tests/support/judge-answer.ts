import { Ajv2020 } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import type { OpenApiOperation } from './open-api.ts'

// The server guarantees the formats itself; only the patterns are checked here.
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Returns what is wrong with a response to any request; null when nothing is. */
export function findResponseMistake(
  operation: OpenApiOperation,
  answer: LightMyRequestResponse,
): string | null {
  const { statusCode: status, headers } = answer
  if (!isStrict(headers['content-security-policy'])) return 'no strict policy'
  if (!String(headers['cache-control']).includes('no-store')) return 'may be stored'
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  if (status >= 400) return findMistakeOfRefusal(operation, answer, type)
  const described = operation.responses[status]
  if (described === undefined) return `${status} is not described`
  if (described.content === undefined) return answer.body === '' ? null : `a body with ${status}`
  const schema = described.content?.[type]?.schema
  if (schema === undefined) return `${type} is not described`
  if (type !== 'application/json') return null
  return ajv.validate(schema, answer.json()) ? null : ajv.errorsText()
}

/**
 * True when the security policy is strict. A page that shows an email may use inline styles, as emails do, because its sandbox
 * runs no script and loads nothing.
 */
function isStrict(policy: unknown): boolean {
  if (typeof policy !== 'string') return false
  return (
    !policy.includes('unsafe') || /^default-src 'none'; style-src 'unsafe-inline';.* sandbox/.test(policy)
  )
}

function findMistakeOfRefusal(
  operation: OpenApiOperation,
  answer: LightMyRequestResponse,
  type: string,
): string | null {
  const status = answer.statusCode
  if (type !== 'application/problem+json') return `a refusal as ${type}`
  const described = operation.responses[status] ?? operation.responses.default
  const schema = described?.content?.[type]?.schema
  if (schema === undefined) return `${status} is not described`
  const problem = answer.json()
  if (!ajv.validate(schema, problem)) return `${status} ${problem.code}: ${ajv.errorsText()}`
  const { status: usual, title } = PROBLEMS[problem.code as ProblemCode] // the schema allows only codes from the catalogue
  if (usual !== status || problem.status !== status) return `${problem.code} with ${status}`
  return problem.title === title ? null : `${problem.code} with other words`
}
