import { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { ProblemCode } from '#contract/shared/problem.ts'

/** Name of the request decorator that stores the refusal code. */
const PROBLEM = 'problem'

/** Logs the route pattern instead of the URL: an appointment's id is a secret and must not be logged. */
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

/** Adds the refusal code to the request's log line. */
export function recordProblem(request: FastifyRequest, code: ProblemCode): void {
  request.setDecorator(PROBLEM, code)
}

/**
 * Keeps only one of Fastify's own log lines: the one for a response that failed after it had started, when the client
 * could no longer be told. A client that disconnects is not an error.
 */
export function logInterruptedResponses(): LogController {
  const streamError = (err: Error, request: FastifyRequest) => {
    if (!isClientDisconnect(err, request)) request.log.error({ err }, 'answer broken off')
  }
  return Object.assign(new LogController({ disableRequestLogging: true }), { streamError })
}

/** Error codes of reading from or writing to a closed connection. */
const HANG_UP_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** True when an error only means that the client disconnected, or was cut off because it was too slow. */
export function isClientDisconnect(error: Error, { raw }: FastifyRequest): boolean {
  return raw.socket.destroyed && 'code' in error && HANG_UP_CODES.has(String(error.code))
}
