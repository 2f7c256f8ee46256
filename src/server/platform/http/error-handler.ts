import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type FieldError, PROBLEMS, type Problem, type ProblemCode } from '#contract/shared/problem.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { isApiRequest } from './is-api-request.ts'
import { sendPlainPage, UNAVAILABLE_PAGE } from './plain-page.ts'
import { ProblemError } from './problem-error.ts'
import { PROBLEM_PAGE } from './problem-page.ts'
import { isClientDisconnect, recordProblem } from './request-log.ts'

/** Sends a refusal as problem details (RFC 9457). */
export function sendProblem(
  reply: FastifyReply,
  code: ProblemCode,
  fields: readonly FieldError[] = [],
): FastifyReply {
  const problem: Problem = {
    ...toProblem(code),
    request_id: reply.request.id,
    ...(fields.length > 0 ? { errors: [...fields] } : {}),
  }
  recordProblem(reply.request, code)
  // Send a string, so that the route's response schemas for ordinary JSON do not apply.
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** Builds the problem details of a refusal code. */
export function toProblem(code: ProblemCode): Problem {
  const { status, title } = PROBLEMS[code]
  return { type: `${PROBLEM_PAGE}#${code}`, title, status, code }
}

/** Converts errors to responses; no other code does. Only unexpected errors are logged as errors. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isClientDisconnect(error, request)) {
    request.log.info({ method: request.method, route: request.routeOptions.url ?? 'none' }, 'client hung up')
    return reply.code(499).send()
  }
  const { code, fields } = toRefusal(error)
  if (code === 'server.unexpected') request.log.error({ err: error }, 'unexpected error')
  if (code === 'server.unavailable') {
    request.log.warn({ err: error }, 'database not available')
    reply.header('retry-after', '2')
    if (isForReader(request)) return sendPlainPage(reply, code, UNAVAILABLE_PAGE)
  }
  if (error instanceof ProblemError && error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.retryAfterSeconds))
  }
  return sendProblem(reply, code, fields)
}

/** True when a browser asks for a page: the reader then gets a page instead of problem details. */
function isForReader(request: FastifyRequest): boolean {
  return !isApiRequest(request) && request.headers.accept?.includes('text/html') === true
}

type Refusal = { code: ProblemCode; fields: readonly FieldError[] }

function toRefusal(error: FastifyError): Refusal {
  if (error instanceof ProblemError) return { code: error.code, fields: error.fields }
  if (hasZodFastifySchemaValidationErrors(error)) return toInvalid(error)
  if (isDatabaseUnavailable(error)) return { code: 'server.unavailable', fields: [] }
  return { code: codeOfStatus(error.statusCode ?? 500), fields: [] }
}

/** Maps Fastify's own refusals (body too large, not JSON, rate limit) by status. */
function codeOfStatus(status: number): ProblemCode {
  if (status === 413) return 'request.too_large'
  if (status === 415) return 'request.not_json'
  if (status === 429) return 'request.too_many'
  if (status === 404) return 'request.not_found'
  if (status === 503) return 'server.unavailable'
  return status >= 400 && status < 500 ? 'request.invalid' : 'server.unexpected'
}

/**
 * Converts a validation error to a refusal. A schema can have a problem code as its message; the first such code
 * becomes the refusal.
 */
function toInvalid(error: { validation: readonly { instancePath: string; message?: string }[] }): Refusal {
  const issues = error.validation.map(({ instancePath, message = '' }) => ({ instancePath, message }))
  const named = issues.map((issue) => issue.message).find(isProblemCode)
  const fields = issues.map((issue) => ({
    path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: isProblemCode(issue.message) ? PROBLEMS[issue.message].title : issue.message,
  }))
  return { code: named ?? 'request.invalid', fields }
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
