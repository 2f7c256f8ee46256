import { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { ProblemCode } from '#contract/problem.ts'

/** The decorator of a request that has the code it was refused with. */
const PROBLEM = 'problem'

/** The route's pattern, not the address: an appointment's id is a key and must not be in a log. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest(PROBLEM, null)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const problem = request.getDecorator<ProblemCode | null>(PROBLEM)
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ...(problem === null ? {} : { problem }),
        durationMs: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/** Has the line of this request say what it was refused with. */
export function recordProblem(request: FastifyRequest, code: ProblemCode): void {
  request.setDecorator(PROBLEM, code)
}

/**
 * Fastify's own lines, of which only one is left: an answer that broke off after its beginning had been sent, so that
 * nobody could be told. A client that hangs up is no fault.
 */
export function logInterruptedAnswers(): LogController {
  const streamError = (err: Error, request: FastifyRequest) => {
    if (!isClientDisconnect(err, request)) request.log.error({ err }, 'answer broken off')
  }
  return Object.assign(new LogController({ disableRequestLogging: true }), { streamError })
}

/** What is thrown where somebody reads from a connection that was closed, or writes to it. */
const HANG_UP_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** Whether an error says only that the client has closed the connection, or was cut off because it was too slow. */
export function isClientDisconnect(error: Error, { raw }: FastifyRequest): boolean {
  return raw.socket.destroyed && 'code' in error && HANG_UP_CODES.has(String(error.code))
}
